/**
 * One client that watches everything and writes two documents of its own, always both in one batch. The same in Node
 * and in a page; `sdk` adapts the SDK, `ledger` hears of each write before it is sent and after it is acknowledged.
 */
export class Actor {
  #sdk;
  #ledger;
  #name;
  #step = 0;
  #running = false;
  #loop = Promise.resolve();
  #view;
  #stop;
  /** Errors in the snapshots it saw. */
  #wrong = [];

  constructor({ sdk, ledger, name }) {
    this.#sdk = sdk;
    this.#ledger = ledger;
    this.#name = name;
  }

  /** Starts to watch. */
  watch() {
    this.#stop = this.#sdk.listen(
      ({ documents, fromCache, pending }) => {
        this.#view = pending || fromCache ? undefined : documents;
        if (this.#view) this.#check(documents);
      },
      (error) => this.#wrong.push(`the listener of ${this.#name} ended: ${error.message}`),
    );
  }

  /** Both documents of a batch change together, in every view. */
  #check(documents) {
    for (const [id, n] of Object.entries(documents)) {
      if (!id.endsWith('-a')) continue;
      const twin = documents[id.replace(/-a$/, '-b')];
      if (twin !== n) this.#wrong.push(`${this.#name} saw half a batch: ${id} is ${n}, its twin ${twin}`);
    }
  }

  /** Writes, one batch after the other, until [`pause`]. */
  resume() {
    this.#running = true;
    this.#loop = this.#write();
  }

  async #write() {
    while (this.#running) {
      this.#step += 1;
      // Every eighth is a delete.
      const n = this.#step % 8 === 0 ? null : this.#step;
      await this.#ledger.attempt(this.#name, n);
      try {
        await this.#sdk.write([`${this.#name}-a`, `${this.#name}-b`], n);
        await this.#ledger.acknowledged(this.#name, n);
      } catch (error) {
        await this.#ledger.failed(this.#name, error.code ?? error.message);
      }
    }
  }

  /** Stops writing; resolves when the last write is acknowledged or has failed. */
  async pause() {
    this.#running = false;
    await this.#loop;
  }

  /** `{ id: n }` as the listener last saw it; nothing while it knows that it is behind. */
  view() {
    return this.#view;
  }

  wrong() {
    return this.#wrong;
  }

  async close() {
    this.#running = false;
    this.#stop?.();
    await this.#sdk.close();
  }
}
