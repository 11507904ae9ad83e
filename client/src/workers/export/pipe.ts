/** Passes values between two tasks, one at a time: pushing waits until the value was taken. */
export class Pipe<T> implements AsyncIterable<T> {
  #value: { readonly item: T; readonly taken: () => void } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  push(item: T): Promise<void> {
    return new Promise((taken) => {
      this.#value = { item, taken };
      this.#wake?.();
    });
  }

  /** Ends the sequence. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      const value = this.#value;
      if (value) {
        this.#value = undefined;
        yield value.item;
        value.taken();
      } else if (this.#ended) return;
      else {
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    }
  }
}
