import { fromHex, toHex } from '../../hex.ts';
import type { Patch } from '../protocol/messages.ts';
import type { Decided, Drawn, Fair, Track } from './replay.ts';
import { hmacSha256, sha256 } from './sha256.ts';

/** Draws of one HMAC: four words of 64 bits. */
const WORDS = 4;
const MOST = 2n ** 64n - 1n;
const DRAW = new TextEncoder().encode('draw');

/** A source of chance, as `functions-host/table/src/chance.rs` draws it. */
export class Chance {
  counter = 0;
  readonly #seed: Uint8Array;
  #block: { readonly at: number; readonly words: DataView } | undefined;

  constructor(seed: Uint8Array) {
    this.#seed = seed;
  }

  #word(): bigint {
    const at = Math.floor(this.counter / WORDS);
    if (this.#block?.at !== at) {
      const message = new Uint8Array(DRAW.length + 8);
      message.set(DRAW);
      new DataView(message.buffer).setBigUint64(DRAW.length, BigInt(at));
      const words = new DataView(hmacSha256(this.#seed, message).buffer as ArrayBuffer);
      this.#block = { at, words };
    }
    const word = this.#block.words.getBigUint64((this.counter % WORDS) * 8);
    this.counter += 1;
    return word;
  }

  /** A number below `bound`. */
  below(bound: number): number {
    if (bound <= 0) return 0;
    const wide = BigInt(bound);
    const usable = MOST - (((MOST % wide) + 1n) % wide);
    for (;;) {
      const word = this.#word();
      if (word <= usable) return Number(word % wide);
    }
  }

  permutation(length: number): number[] {
    const order = Array.from({ length }, (_, at) => at);
    for (let last = length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
    }
    return order;
  }
}

/** A draw that was made again. */
export interface Checked {
  readonly n: number;
  readonly by: number;
  readonly verb: string;
  readonly dice: readonly number[];
  /** Piles that were shuffled, with their sizes. */
  readonly piles: readonly { readonly name: string; readonly size: number }[];
  /** The reason for which it is not what chance said. */
  readonly fault?: string;
}

export interface Verdict {
  /** True if the seed is the one that was promised. */
  readonly seed: boolean;
  /** False if the server could not say what chance decided. */
  readonly told: boolean;
  readonly entries: readonly Checked[];
  readonly shuffles: number;
  readonly rolls: number;
  /** Faults in all, a broken promise among them. */
  readonly faults: number;
}

const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

function drawAgain(chance: Chance, drawn: Drawn): boolean {
  if ('order' in drawn) return same(chance.permutation(drawn.order.length), drawn.order);
  const [bound, got] = drawn.below;
  return chance.below(bound) === got;
}

/** True if every pile lies after its shuffle as one of the orders says, each order used once. */
function areShuffled({ piles = [], drawn }: Decided): boolean {
  const orders = drawn.flatMap((one) => ('order' in one ? [one.order] : []));
  return piles.every(({ before, after }) => {
    const at = orders.findIndex(
      (order) =>
        order.length === before.length &&
        same(
          order.map((from) => before[from]),
          after,
        ),
    );
    if (at >= 0) orders.splice(0, at + 1);
    return at >= 0;
  });
}

/** True if a roll's dice are those drawn, and those that the table showed. */
function areRolled({ verb, dice = [], drawn }: Decided, shown: readonly number[]): boolean {
  if (verb !== 'roll') return true;
  const sides = drawn.flatMap((one) => ('below' in one ? [one.below[1] + 1] : []));
  const left = [...dice];
  const isThere = (side: number) => {
    const at = left.indexOf(side);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  return same(sides, dice) && shown.every(isThere);
}

/** Sides of dice that a patch shows; a die that came to the same side again is in none. */
function shownDice({ set = {} }: Partial<Patch>): number[] {
  return Object.values(set ?? {}).flatMap((shown) =>
    shown?.kind === 'die' && shown.value !== undefined ? [shown.value] : [],
  );
}

/** Draws all chance of a game again, and compares it with what happened. */
export function verify(fair: Fair, table?: Track): Verdict {
  const bytes = fromHex(fair.seed);
  const seed = toHex(sha256(bytes)) === fair.commitment;
  const chance = new Chance(bytes);
  const patches = new Map(table?.patches.map((patch) => [patch.n, patch]));
  const entries = (fair.decided ?? []).map((entry): Checked => {
    const { n, by, verb, from, count, drawn, dice = [], piles = [] } = entry;
    const follows = chance.counter === from;
    const drawnAgain = drawn.map((one) => drawAgain(chance, one)).every(Boolean);
    const ends = chance.counter === from + count;
    // The next entry is judged by itself.
    chance.counter = from + count;
    const fault =
      faultOf(follows && ends, drawnAgain) ??
      (areShuffled(entry) ? undefined : 'The pile does not lie as chance said.') ??
      (areRolled(entry, shownDice(patches.get(n) ?? {})) ? undefined : 'The dice do not lie as chance said.');
    return {
      n,
      by,
      verb,
      dice,
      piles: piles.map(({ name, after }) => ({ name, size: after.length })),
      ...(fault !== undefined && { fault }),
    };
  });
  const broken = entries.filter(({ fault }) => fault !== undefined).length;
  return {
    seed,
    told: fair.decided !== null,
    entries,
    shuffles: entries.reduce((sum, { piles }) => sum + piles.length, 0),
    rolls: entries.filter(({ verb }) => verb === 'roll').length,
    faults: broken + (seed ? 0 : 1),
  };
}

function faultOf(isInTurn: boolean, drawnAgain: boolean): string | undefined {
  if (!isInTurn) return 'Chance was used that no act accounts for.';
  return drawnAgain ? undefined : 'The seed says something else.';
}
