import type { SetLines } from './set-lines.ts';

/**
 * Texts that were broken into lines, for the next time that the same text is set: in the next pass, or after a letter
 * somewhere else. Holds the texts of the flow before and of the present one.
 */
export class LineCache {
  #before = new Map<string, SetLines>();
  #now = new Map<string, SetLines>();

  /** Begins a flow: what the last one did not use is dropped. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** The lines of a text. `key` says everything that they depend on. */
  get(key: string, set: () => SetLines | undefined): SetLines | undefined {
    const known = this.#now.get(key) ?? this.#before.get(key) ?? set();
    if (known) this.#now.set(key, known);
    return known;
  }
}
