import { expect, test } from 'vitest';
import { isTooLong, liesHere } from './lie-here.ts';
import type { ContainerKind, Policy, Shown, ShownContainer } from './messages.ts';
import { usualSight } from './places.ts';

const spot = { x: 0, y: 0, z: 0 };
const container = (kind: ContainerKind, count: number, more: Partial<ShownContainer> = {}): Shown => ({
  ...spot,
  surface: 0,
  kind: 'container',
  container: {
    kind,
    arrangement: 'free',
    policy: usualSight(kind),
    size: [630, 880],
    count,
    ...more,
  },
});
const named = (name: string, shown: Shown): Shown => ({ ...shown, name });
const card = (more: Partial<Shown>): Shown => ({ ...spot, kind: 'card', back: 0, ...more });
const SETS = [
  { name: 'Cards', pieces: 20, backs: [0] },
  { name: 'Cards where Suit is Red', pieces: 10, backs: [0], part: true },
  { name: 'Coins', pieces: 4, backs: [1] },
];
const tableOf = (pieces: Readonly<Record<string, Shown>>) => ({
  pieces: new Map(Object.entries(pieces)),
  faces: new Map([[7, { name: 'Fox', sides: [] }]]),
  backs: new Map(),
  table: { seats: {} } as never,
});

test('piles, areas and open pieces are taken down; hidden cards come by chance and are shuffled', () => {
  const { steps, left } = liesHere(
    tableOf({
      hand: named('Hand', container('hand', 2, { owner: 0 })),
      other: named('Hand', container('hand', 2, { owner: 1 })),
      deck: named('Deck', { ...container('stack', 14), x: -500 }),
      top: card({ holder: 'deck', at: 13 }),
      market: named('Market', container('zone', 2, { arrangement: 'grid', size: [2_000, 1_200] })),
      one: card({ holder: 'market', at: 0, face: 7, facing: 'up' }),
      two: card({ holder: 'market', at: 1, face: 7, facing: 'up' }),
      mine: card({ holder: 'hand', face: 9, facing: 'up' }),
    }),
    SETS,
  );
  const owned = {
    kind: 'hand',
    name: 'Hand',
    arrangement: 'free',
    size: [630, 880],
    policy: usualSight('hand'),
  };
  expect(steps).toEqual([
    { do: 'place', each_seat: true, place: { container: owned }, to: { at: { surface: 0, x: 0, y: 0 } } },
    expect.objectContaining({
      place: { container: expect.objectContaining({ kind: 'stack', name: 'Deck' }) },
    }),
    expect.objectContaining({
      place: { container: expect.objectContaining({ kind: 'zone', name: 'Market' }) },
    }),
    {
      do: 'place',
      place: { pieces: { definition: 7, copies: 2 } },
      to: { into: { name: 'Market' } },
      face: 'up',
    },
    {
      do: 'place',
      place: { rest: { set: 0, most: { fixed: 14 } } },
      to: { into: { name: 'Deck' } },
      face: 'down',
    },
    { do: 'shuffle', what: { name: 'Deck' } },
  ]);
  expect(left).toEqual(['What lies in hands and private areas: add a step that deals or moves it there.']);
  // The card of the own hand, which nobody else sees, is named nowhere.
  expect(JSON.stringify(steps)).not.toContain('"definition":9');
});

test('a card that only I know is taken down as one that nobody knows', () => {
  const peeked = { face: 9, facing: 'down' as const, known: true };
  const here = (more: Partial<Shown>) =>
    liesHere(tableOf({ loose: card({ surface: 0, x: 40, ...more }) }), SETS);
  expect(here(peeked)).toEqual(here({}));
  expect(here({}).steps).toEqual([
    {
      do: 'place',
      place: { rest: { set: 0, most: { fixed: 1 } } },
      to: { at: { surface: 0, x: 40, y: 0 } },
      face: 'down',
    },
  ]);
  // Of no set that the seat is told of.
  expect(here({ back: 9 }).left).toEqual([
    'Pieces that are not seen: nobody sees what they are. Add a step that takes them out of the box.',
  ]);
  const closed: Policy = { audience: { seats: 1 }, inside: 'face', outside: 'back' };
  const inClosed = (more: Partial<Shown>) =>
    liesHere(
      tableOf({
        area: named('Closed', container('zone', 1, { policy: closed })),
        inside: card({ holder: 'area', at: 0, ...more }),
      }),
      SETS,
    );
  expect(inClosed({ face: 9, facing: 'up' })).toEqual(inClosed({}));
});

test('all that is left of a set is taken without a number, and a bag of nothing seen is said', () => {
  const { steps, left } = liesHere(
    tableOf({
      deck: named('Deck', container('stack', 19)),
      top: card({ holder: 'deck', at: 18 }),
      open: card({ surface: 0, face: 7, facing: 'up' }),
      bag: named('Bag', container('bag', 4)),
    }),
    SETS,
  );
  expect(steps).toContainEqual({
    do: 'place',
    place: { rest: { set: 0 } },
    to: { into: { name: 'Deck' } },
    face: 'down',
  });
  expect(left).toEqual([
    'What lies in Bag: nobody sees what it is. Add a step that takes it out of the box.',
  ]);
});

test('places in a free area and values are kept, and names told apart', () => {
  const token = (x: number, more: Partial<Shown> = {}): Shown => ({
    ...spot,
    kind: 'token',
    back: 1,
    face: 7,
    facing: 'up',
    holder: 'area',
    at: 0,
    x,
    ...more,
  });
  const { steps, left } = liesHere(
    tableOf({
      area: named('Bank', container('zone', 2)),
      twin: named('Bank', container('zone', 0)),
      one: token(-40),
      two: token(25, { value: 3, turn: 90 }),
    }),
    SETS,
  );
  const names = steps.flatMap((step) =>
    step.do === 'place' && 'container' in step.place ? [step.place.container.name] : [],
  );
  expect(names).toEqual(['Bank', 'Bank 2']);
  expect(steps).toContainEqual({
    do: 'place',
    place: { pieces: { definition: 7, copies: 1, name: 'Fox' } },
    to: { within: { into: { name: 'Bank' }, x: 25, y: 0 } },
    face: 'up',
  });
  expect(steps.at(-1)).toEqual({ do: 'set', what: { name: 'Fox' }, value: 3 });
  expect(left).toEqual(['Angles, colours and locks of pieces.']);
});

test('more steps than a set-up has are too many', () => {
  const pieces = Object.fromEntries(
    Array.from({ length: 61 }, (_, x) => [`p${x}`, card({ surface: 0, x, face: 7, facing: 'up' })]),
  );
  expect(isTooLong(liesHere(tableOf(pieces), SETS))).toBe(true);
  expect(isTooLong(liesHere(tableOf({}), SETS))).toBe(false);
  expect(liesHere(tableOf({}), SETS).left).toEqual(['Nothing lies here.']);
});
