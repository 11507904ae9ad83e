/** What each pair of documents may hold: one state once a write is acknowledged, more while one is under way. */
export class Ledger {
  #states = new Map();
  acknowledgements = 0;
  failures = new Map();

  /** `n` is about to be written; `null` deletes. */
  attempt(name, n) {
    const states = this.#states.get(name) ?? new Set([null]);
    states.add(n);
    this.#states.set(name, states);
  }

  acknowledged(name, n) {
    this.acknowledgements += 1;
    this.#states.set(name, new Set([n]));
  }

  failed(_name, code) {
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
  }

  forget(name) {
    this.#states.delete(name);
  }

  /** What `{ id: n }` has that nobody wrote, or lacks that was acknowledged. */
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
