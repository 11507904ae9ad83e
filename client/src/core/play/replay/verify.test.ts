import { describe, expect, it } from 'vitest';
import { toHex } from '../../hex.ts';
import type { Patch } from '../protocol/messages.ts';
import type { Decided, Fair, Track } from './replay.ts';
import { sha256 } from './sha256.ts';
import { Chance, verify } from './verify.ts';

const SEED = new Uint8Array(32).fill(7);

/** A game of a shuffle, a roll of three dice and a spin, as a server tells it. */
function game(): { fair: Fair; table: Track } {
  const chance = new Chance(SEED);
  const before = [4, 4, 5, 6, 7, null, 9];
  const decided: Decided[] = [];
  const entry = (n: number, verb: string, draw: () => Partial<Decided> & Pick<Decided, 'drawn'>) => {
    const from = chance.counter;
    const made = draw();
    decided.push({ n, by: 0, verb, from, count: chance.counter - from, ...made });
  };
  entry(1, 'shuffle', () => {
    const order = chance.permutation(before.length);
    const after = order.map((at) => before[at] ?? null);
    return { drawn: [{ order }], piles: [{ name: 'Deck', before, after }] };
  });
  entry(3, 'roll', () => {
    const sides = [0, 1, 2].map(() => chance.below(6));
    return {
      drawn: sides.map((side) => ({ below: [6, side] as const })),
      dice: sides.map((side) => side + 1),
    };
  });
  entry(4, 'spin', () => ({ drawn: [{ below: [360, chance.below(360)] }] }));
  const fair = { seed: toHex(SEED), commitment: toHex(sha256(SEED)), decided };
  const [first = 0, second = 0] = decided[1]?.dice ?? [];
  const die = (value: number) => ({ surface: 0, x: 0, y: 0, z: 0, kind: 'die' as const, value });
  // The third die came to the side that it lay on: it is in no patch.
  const patches = [1, 2, 3, 4].map((n) => ({
    n,
    by: 0,
    verb: 'x',
    ...(n === 3 && { set: { a: die(first), b: die(second) } }),
  }));
  return { fair, table: { seat: null, state: {} as Track['state'], patches: patches as unknown as Patch[] } };
}

const changed = (at: number, change: Partial<Decided>): Fair => {
  const { fair } = game();
  return {
    ...fair,
    decided: (fair.decided ?? []).map((entry, index) => (index === at ? { ...entry, ...change } : entry)),
  };
};

it('draws what the server draws', () => {
  const chance = new Chance(SEED);
  // The same numbers stand in functions-host/table/src/chance.rs.
  expect(chance.permutation(10)).toEqual([0, 2, 6, 8, 4, 5, 7, 9, 1, 3]);
  expect([6, 6, 6, 360, 2 ** 40].map((bound) => chance.below(bound))).toEqual([
    2, 1, 4, 358, 211_864_326_874,
  ]);
  expect(chance.counter).toBe(14);
});

describe('the verifier', () => {
  it('accepts a game as it was', () => {
    const { fair, table } = game();
    expect(verify(fair, table)).toMatchObject({ seed: true, told: true, shuffles: 1, rolls: 1, faults: 0 });
  });

  it('finds another seed than the promised one', () => {
    const { fair } = game();
    const other = toHex(new Uint8Array(32).fill(8));
    expect(verify({ ...fair, seed: other }).seed).toBe(false);
    // A seed that was chosen later fits neither what was drawn.
    const verdict = verify({ ...fair, seed: other, commitment: toHex(sha256(new Uint8Array(32).fill(8))) });
    expect(verdict.seed).toBe(true);
    expect(verdict.faults).toBe(3);
  });

  it('finds one changed die, in what was drawn and in what was shown', () => {
    const { fair, table } = game();
    const dice = fair.decided?.[1]?.dice ?? [];
    const turned = dice.map((side, at) => (at === 1 ? (side % 6) + 1 : side));
    const verdict = verify(changed(1, { dice: turned }), table);
    expect(verdict.entries.map(({ fault }) => fault !== undefined)).toEqual([false, true, false]);
    const drawn = turned.map((side) => ({ below: [6, side - 1] as const }));
    expect(verify(changed(1, { dice: turned, drawn }), table).entries[1]?.fault).toBe(
      'The seed says something else.',
    );
    const patches = table.patches.map((patch) =>
      patch.n === 3
        ? { ...patch, set: { a: { surface: 0, x: 0, y: 0, z: 0, kind: 'die' as const, value: 9 } } }
        : patch,
    );
    expect(verify(fair, { ...table, patches }).entries[1]?.fault).toBe('The dice do not lie as chance said.');
  });

  it('finds two cards of a shuffled pile that changed places', () => {
    const after = [...(game().fair.decided?.[0]?.piles?.[0]?.after ?? [])];
    const at = after.findIndex((one, index) => one !== after[index + 1]);
    [after[at], after[at + 1]] = [after[at + 1] ?? null, after[at] ?? null];
    const before = game().fair.decided?.[0]?.piles?.[0]?.before ?? [];
    const fair = changed(0, { piles: [{ name: 'Deck', before, after }] });
    expect(verify(fair).entries[0]?.fault).toBe('The pile does not lie as chance said.');
  });

  it('finds a draw that was left out, and judges the rest by itself', () => {
    const { fair } = game();
    const decided = (fair.decided ?? []).filter(({ verb }) => verb !== 'roll');
    const verdict = verify({ ...fair, decided });
    expect(verdict.entries.map(({ fault }) => fault)).toEqual([
      undefined,
      'Chance was used that no act accounts for.',
    ]);
  });

  it('says so where the server could not tell', () => {
    const { fair } = game();
    expect(verify({ ...fair, decided: null })).toMatchObject({
      seed: true,
      told: false,
      entries: [],
      faults: 0,
    });
  });
});
