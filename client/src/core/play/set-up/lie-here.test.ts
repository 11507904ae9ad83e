import { expect, test } from 'vitest';
import type { ContainerKind, Policy, Shown, ShownContainer } from '../protocol/messages.ts';
import { usualSight } from '../view/places.ts';
import { isTooLong, liesHere } from './lie-here.ts';

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
  table: { seats: { 1: { name: 'Bo' } } } as never,
});

test('hands are filled from the pile of their set, and nothing is said of the cards that I see in mine', () => {
  const here = (mine: readonly Partial<Shown>[]) =>
    liesHere(
      tableOf({
        hand: named('Hand', container('hand', 2, { owner: 0 })),
        other: named('Hand', container('hand', 3, { owner: 1 })),
        deck: named('Deck', container('stack', 14)),
        top: card({ holder: 'deck', at: 13 }),
        aside: card({ surface: 0, x: 90, turn: 30, locked: true }),
        ...Object.fromEntries(mine.map((one, at) => [`mine${at}`, card({ holder: 'hand', at, ...one })])),
      }),
      SETS.slice(0, 2),
    );
  const { steps, left } = here([
    { face: 9, facing: 'up' },
    { face: 3, facing: 'up', back: 5 },
  ]);
  expect(here([])).toEqual({ steps, left });
  expect(left).toEqual([]);
  const from = { name: 'Deck' };
  const own = { into: { name: 'Hand', own: true } };
  expect(steps.slice(2)).toEqual([
    // All twenty cards of the set lie here.
    { do: 'place', place: { rest: { set: 0 } }, to: { into: from }, face: 'down' },
    { do: 'shuffle', what: from },
    {
      do: 'move',
      what: { from, most: { fixed: 1 } },
      to: { at: { surface: 0, x: 90, y: 0 } },
      face: 'down',
      marks: { turn: 30, locked: true },
    },
    { do: 'move', what: { from, most: { fixed: 2 } }, to: own, face: 'down', seat: 0 },
    { do: 'move', what: { from, most: { fixed: 3 } }, to: own, face: 'down', seat: 1 },
  ]);
});

test('notes in an area are written anew where they lie, and take no piece of a set', () => {
  const note = (text: string, at: number): Shown => ({
    ...card({ holder: 'area', at }),
    kind: 'note',
    text,
    x: at * 50,
  });
  const { steps, left } = liesHere(
    tableOf({
      area: named('Market', container('zone', 3)),
      one: card({ holder: 'area', at: 0 }),
      note: note('Mind the gap', 1),
      locked: { ...note('Rules', 2), locked: true },
    }),
    SETS.slice(0, 1),
  );
  expect(left).toEqual([]);
  const into = { name: 'Market' };
  expect(steps.slice(1)).toEqual([
    { do: 'place', place: { rest: { set: 0, most: { fixed: 1 } } }, to: { into }, face: 'down' },
    { do: 'note', text: 'Mind the gap', to: { within: { into, x: 50, y: 0 } } },
    { do: 'note', text: 'Rules', to: { within: { into, x: 100, y: 0 } }, marks: { locked: true } },
  ]);
});

test('a private area of which others see nothing is left out', () => {
  const policy: Policy = { audience: 'owner', inside: 'face', outside: 'nothing' };
  const { steps, left } = liesHere(
    tableOf({
      tray: named('Vault', container('tray', 1, { owner: 1, policy })),
      inside: card({ holder: 'tray', at: 0, face: 9, facing: 'up' }),
    }),
    SETS.slice(0, 1),
  );
  expect(steps).toHaveLength(1);
  expect(left).toEqual([expect.stringContaining('The contents of Vault of Bo')]);
});

test('two hidden places without a pile are filled apart, which is said', () => {
  const { steps, left } = liesHere(
    tableOf({ one: card({ surface: 0 }), two: card({ surface: 0, x: 50 }) }),
    SETS,
  );
  expect(steps.map((step) => step.do)).toEqual(['place', 'place']);
  expect(left).toEqual([expect.stringContaining('A pile of Cards')]);
});

test('notes, angles, colours and locks are taken down; alike pieces follow each other only if these are alike', () => {
  const at = (x: number, more: Partial<Shown> = {}) =>
    card({ holder: 'row', at: x, face: 7, facing: 'up', ...more });
  const { steps, left } = liesHere(
    tableOf({
      note: { ...spot, surface: 0, x: 10.4, kind: 'note', text: 'Mind the gap', locked: true },
      row: { ...named('Row', container('zone', 3, { arrangement: 'row' })), locked: true },
      one: at(0),
      two: at(1),
      three: at(2, { turn: 90, tint: 255 }),
    }),
    SETS,
  );
  const row = { into: { name: 'Row' } };
  expect(steps).toEqual([
    expect.objectContaining({ marks: { locked: true } }),
    { do: 'place', place: { pieces: { definition: 7, copies: 2 } }, to: row, face: 'up' },
    {
      do: 'place',
      place: { pieces: { definition: 7, copies: 1 } },
      to: row,
      face: 'up',
      marks: { turn: 90, tint: 255 },
    },
    {
      do: 'note',
      text: 'Mind the gap',
      to: { at: { surface: 0, x: 10, y: 0 } },
      marks: { locked: true },
    },
  ]);
  expect(left).toEqual([]);
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
  // Cards or coins: others do not see which.
  const unsaid = (whose: string) =>
    `The contents of Hand of ${whose}: others cannot see which set they are from. Add a step that deals or moves them there.`;
  expect(left).toEqual([unsaid('Seat A'), unsaid('Bo')]);
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
    'The contents of Bag: nobody sees what they are. Add a step that takes them out of the box.',
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
    marks: { turn: 90 },
  });
  expect(steps.at(-1)).toEqual({ do: 'set', what: { name: 'Fox' }, value: 3 });
  expect(left).toEqual([]);
});

test('more steps than a set-up has are too many', () => {
  const pieces = Object.fromEntries(
    Array.from({ length: 61 }, (_, x) => [`p${x}`, card({ surface: 0, x, face: 7, facing: 'up' })]),
  );
  expect(isTooLong(liesHere(tableOf(pieces), SETS))).toBe(true);
  expect(isTooLong(liesHere(tableOf({}), SETS))).toBe(false);
  expect(liesHere(tableOf({}), SETS).left).toEqual(['Nothing lies here.']);
});
