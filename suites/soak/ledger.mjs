/** Failures that broken connections explain, and conflicts; every other means that the server refused the write. */
const EXPECTED = new Set([
  'cancelled',
  'deadline-exceeded',
  'aborted',
  'internal',
  'unavailable',
  1,
  4,
  10,
  13,
  14,
]);

/** States that each pair of documents may have: one once a write is acknowledged, more while one is in flight. */
export class Ledger {
  #states = new Map();
  #kinds = new Map();
  /** Acknowledged writes of each kind of client. */
  counts = new Map();
  failures = new Map();

  /** A client of this kind writes under this name. */
  join(name, kind) {
    this.#kinds.set(name, kind);
    if (!this.counts.has(kind)) this.counts.set(kind, 0);
  }

  /** Acknowledged writes of all clients. */
  get acknowledgements() {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** `n` is about to be written; `null` deletes. */
  attempt(name, n) {
    const states = this.#states.get(name) ?? new Set([null]);
    states.add(n);
    this.#states.set(name, states);
  }

  acknowledged(name, n) {
    const kind = this.#kinds.get(name);
    // It left, and what it wrote has been removed.
    if (kind === undefined) return;
    this.counts.set(kind, this.counts.get(kind) + 1);
    this.#states.set(name, new Set([n]));
  }

  failed(_name, code) {
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
  }

  forget(name) {
    this.#states.delete(name);
    this.#kinds.delete(name);
  }

  /** Writes that the server should have taken and did not. */
  refusals() {
    return [...this.failures]
      .filter(([code]) => !EXPECTED.has(code))
      .map(([code, times]) => `${times} writes were refused: ${code}`);
  }

  /** Kinds with fewer than `least` acknowledged writes. */
  tooFew(least) {
    return [...this.counts]
      .filter(([, count]) => count < least)
      .map(
        ([kind, count]) => `only ${count} writes of clients of kind ${kind} were acknowledged, not ${least}`,
      );
  }

  /** Differences of `{ id: n }` from the ledger: values nobody wrote, and acknowledged ones that are missing. */
  check(documents) {
    const wrong = [];
    for (const [name, states] of this.#states) {
      for (const id of [`${name}-a`, `${name}-b`]) {
        const found = documents[id] ?? null;
        if (!states.has(found)) wrong.push(`${id} holds ${found}, but must hold ${[...states].join(' or ')}`);
      }
    }
    return wrong;
  }
}
