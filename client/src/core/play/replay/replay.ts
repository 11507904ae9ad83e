import type { Patch, SeatNo, State } from '../protocol/messages.ts';
import { patched, type TableView, viewOfState } from '../view/view.ts';

/** Version of the replays that this page reads. */
export const REPLAY_VERSION = 1;

/** A game as one seat saw it, or as observers did. */
export interface Track {
  readonly seat: SeatNo | null;
  readonly state: State;
  readonly patches: readonly Patch[];
}

/** A draw: a bound with the number below it, or an order in which index `i` holds what was at `order[i]`. */
export type Drawn = { readonly below: readonly [number, number] } | { readonly order: readonly number[] };

/** A pile before and after a shuffle, from the bottom: numbers of faces. */
export interface Pile {
  readonly name: string;
  readonly before: readonly (number | null)[];
  readonly after: readonly (number | null)[];
}

/** The chance of one entry: its words of chance, what was drawn from them, and what came of it. */
export interface Decided {
  readonly n: number;
  readonly by: SeatNo;
  readonly verb: string;
  readonly from: number;
  readonly count: number;
  readonly drawn: readonly Drawn[];
  /** Sides that the dice of a roll came to. */
  readonly dice?: readonly number[];
  readonly piles?: readonly Pile[];
}

/** All that anybody needs to draw the chance of a game again. */
export interface Fair {
  /** SHA-256 of the seed, which everybody at the table was told before the first act. */
  readonly commitment: string;
  readonly seed: string;
  /** `null` if the server has other rules by now than those of the game. */
  readonly decided: readonly Decided[] | null;
}

/** A game that has ended, as a link shows it. */
export interface Replay {
  readonly version: number;
  readonly name: string;
  /** True if it shows what each seat saw. */
  readonly hands: boolean;
  /** Milliseconds since the epoch of each entry. */
  readonly times: readonly number[];
  /** The first is that of observers. */
  readonly tracks: readonly Track[];
  readonly fair: Fair | null;
}

export class ReplayError extends Error {}

/** @throws ReplayError when the text is no replay that this page reads */
export function parseReplay(text: string): Replay {
  let read: Partial<Replay> | null = null;
  try {
    read = JSON.parse(text) as Partial<Replay> | null;
  } catch {
    throw new ReplayError('The replay is damaged: it could not be read.');
  }
  if (read?.version !== REPLAY_VERSION) {
    throw new ReplayError('This replay is of another version of Tuckbox. Reload the page and try again.');
  }
  const { times, tracks } = read;
  if (!Array.isArray(times) || !Array.isArray(tracks) || tracks.length === 0) {
    throw new ReplayError('The replay is damaged: parts of it are missing.');
  }
  return read as Replay;
}

/** Views are kept this often: going back works out at most so many patches. */
const KEEP_EVERY = 64;

/** The views of a track, one for each act: counted from 1, while entries of a fork go on from another table's. */
export class Course {
  readonly #track: Track;
  readonly #kept = new Map<number, TableView>();
  #last: { readonly at: number; readonly view: TableView };

  constructor(track: Track) {
    this.#track = track;
    const view = viewOfState(track.state);
    this.#kept.set(0, view);
    this.#last = { at: 0, view };
  }

  /** Acts in all. */
  get length(): number {
    return this.#track.patches.length;
  }

  /** The view after act `at`; 0 is the table before the first. @throws ReplayError when the entries do not fit */
  at(at: number): TableView {
    const wanted = Math.max(0, Math.min(this.length, Math.trunc(at)));
    let { at: from, view } = this.#last;
    if (from > wanted) {
      from = wanted - (wanted % KEEP_EVERY);
      while (!this.#kept.has(from)) from -= KEEP_EVERY;
      view = this.#kept.get(from) ?? view;
    }
    for (; from < wanted; from += 1) {
      const patch = this.#track.patches[from];
      const next = patch && patched(view, patch);
      if (!next || !('view' in next)) throw new ReplayError('The replay is damaged: its acts do not fit.');
      view = next.view;
      if ((from + 1) % KEEP_EVERY === 0) this.#kept.set(from + 1, view);
    }
    this.#last = { at: wanted, view };
    return view;
  }
}

/** Acts at which a turn begins, and the beginning of the game. */
export function turnsOf({ patches }: Track): readonly number[] {
  return [0, ...patches.flatMap(({ verb }, at) => (verb === 'pass' ? [at + 1] : []))];
}

/** A remark, and the act at which it was pinned. */
export interface RemarkAt {
  readonly at: number;
  readonly text: string;
}

export function remarksOf({ patches }: Track): readonly RemarkAt[] {
  return patches.flatMap(({ verb, say = [] }, at) =>
    verb === 'mark' ? say.flatMap((one) => (one.say === 'text' ? [{ at: at + 1, text: one.text }] : [])) : [],
  );
}

/** Speeds of a replay. */
export const SPEEDS = [1, 2, 4, 8, 16] as const;
/** Least and longest time between two acts at normal speed, in milliseconds: nobody waits while a player thinks. */
const [LEAST_MS, LONGEST_MS] = [400, 3_000];

/** Milliseconds from act `at` to the next. */
export function pauseAfter(times: readonly number[], at: number, speed: number): number {
  const gap = at === 0 ? LEAST_MS : (times[at] ?? 0) - (times[at - 1] ?? 0);
  return Math.max(LEAST_MS, Math.min(LONGEST_MS, gap)) / speed;
}
