import type { Act } from '../../../core/play/protocol/messages.ts';
import type { Outcome } from '../../../data/play/connection.ts';

/** Verbs whose acts `Ctrl+Z` passes over. */
const NOT_UNDONE = new Set(['undo', 'claim', 'leave', 'mark', 'end', 'peek', 'show', 'search', 'name']);

/** Acts that can be taken back after a reload: further back nobody goes. */
const MAX_KEPT = 50;

/** Keeps the entries of the own acts while the page is loaded again. */
export interface ActsKept {
  read(): readonly number[];
  write(entries: readonly number[]): void;
}

/**
 * The own acts at a table, which can be taken back one after the other. Keys are faster than servers: an act is taken
 * back once it is known to be done, and acts that are asked for after that wait until it is taken back.
 */
export class OwnActs {
  readonly #connection: { act(act: Act): Promise<Outcome> };
  readonly #changed: (canTakeBack: boolean) => void;
  readonly #kept: ActsKept;
  /** Entries of the log, the last one last. */
  #done: readonly number[];
  /** Acts whose answers are not there yet. */
  readonly #open = new Map<Promise<Outcome>, Act>();
  /** Acts that are not sent yet, since one is to be taken back before. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param changed is told when there is something to take back, and when there is nothing any longer */
  constructor(
    connection: { act(act: Act): Promise<Outcome> },
    changed: (canTakeBack: boolean) => void,
    kept: ActsKept,
  ) {
    this.#connection = connection;
    this.#changed = changed;
    this.#kept = kept;
    this.#done = kept.read();
  }

  get canTakeBack(): boolean {
    return this.#done.length > 0 || [...this.#open.values()].some(({ verb }) => !NOT_UNDONE.has(verb));
  }

  act(asked: Act): Promise<Outcome> {
    if (this.#waiting === 0) return this.#send(asked);
    return this.#inTurn(async () => ({ answer: this.#send(asked) }));
  }

  /** Takes the last act back; answers undefined if there is none. */
  takeBack(): Promise<Outcome | undefined> {
    return this.#inTurn(async () => {
      await Promise.all(this.#open.keys());
      const n = this.#done.at(-1);
      return { answer: n === undefined ? Promise.resolve(undefined) : this.#send({ verb: 'undo', n }) };
    });
  }

  /** Sends something when all that was asked for before is sent. */
  async #inTurn<T>(send: () => Promise<{ readonly answer: Promise<T> }>): Promise<T> {
    this.#waiting += 1;
    const sent = this.#last.then(send).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = sent.catch(() => undefined);
    return (await sent).answer;
  }

  async #send(asked: Act): Promise<Outcome> {
    const answer = this.#connection.act(asked);
    this.#open.set(answer, asked);
    this.#tell();
    const outcome = await answer;
    this.#open.delete(answer);
    if (asked.verb === 'undo') {
      // An act that cannot be taken back is passed over the next time.
      const over = outcome.ok || outcome.code === 'not-possible';
      if (over) this.#done = this.#done.filter((n) => n !== asked['n']);
    } else if (outcome.ok && !NOT_UNDONE.has(asked.verb)) {
      this.#done = [...this.#done, outcome.n].slice(-MAX_KEPT);
    }
    this.#tell();
    return outcome;
  }

  #tell(): void {
    this.#kept.write(this.#done);
    this.#changed(this.canTakeBack);
  }
}
