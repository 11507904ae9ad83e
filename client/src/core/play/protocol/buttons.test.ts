import { expect, it } from 'vitest';
import {
  buttonFault,
  countText,
  fitting,
  kindOf,
  MIDDLE,
  mostOf,
  newStep,
  partOf,
  placedWords,
  readCount,
  STEP_KINDS,
  type Step,
  type Stock,
  setValueOf,
  stockOf,
  withMade,
  withMost,
  withPart,
  withValue,
} from './buttons.ts';
import type { Shown } from './messages.ts';
import { type Part, partsOf } from './parts.ts';

const container = (kind: 'stack' | 'hand', owner?: number) => ({
  kind,
  arrangement: 'free' as const,
  policy: null,
  size: [0, 0] as const,
  ...(owner !== undefined && { owner }),
});
const at = { x: 0, y: 0, z: 0 };
const pieces = new Map<string, Shown>([
  ['a', { ...at, name: 'Deck', container: container('stack') }],
  ['b', { ...at, name: 'Hand', container: container('hand', 0) }],
  ['c', { ...at, name: 'Hand', container: container('hand', 1) }],
  ['d', { ...at, name: 'Die', kind: 'die' }],
  ['e', { ...at, name: 'Score', kind: 'counter' }],
  ['f', { ...at, kind: 'card' }],
]);
const PARTS: readonly Part[] = [
  { name: 'Deck', own: false, is: 'container' },
  { name: 'Hand', own: true, is: 'container' },
  { name: 'Die', own: false, is: 'die' },
  { name: 'Score', own: false, is: 'piece' },
];

it('finds the parts of a table that have names, each once', () => {
  expect(partsOf({ pieces })).toEqual(PARTS);
});

const face = (name: string) => ({ name, sides: [] });
const STOCK: readonly Stock[] = [
  { no: 4, name: 'Coin' },
  { no: 7, name: 'Coin (2)' },
  { no: 2, name: 'Wood' },
];

it('offers the pieces whose faces are seen, those of one name numbered', () => {
  const faces = new Map([
    [7, face('Coin')],
    [2, face('Wood')],
    [4, face('Coin')],
  ]);
  expect(stockOf({ faces })).toEqual(STOCK);
});

const SETS = [{ name: 'Cards', pieces: 12, backs: [0] }];
const SUPPLY = { stock: STOCK, sets: [] };
const EMPTY = { stock: [], sets: [] };

it('places pieces in the first pile or area, else in the middle of the table', () => {
  const coin = { pieces: { definition: 4, copies: 1 } };
  const step = newStep('place', PARTS, SUPPLY);
  expect(step).toEqual({ do: 'place', place: coin, to: { into: { name: 'Deck' } } });
  expect(newStep('place', [], SUPPLY)).toEqual({ do: 'place', place: coin, to: { at: MIDDLE } });
  expect(newStep('place', PARTS, EMPTY)).toBeUndefined();
  if (!step) throw new Error('no step');
  expect(mostOf(withMost(step, { fixed: 5 }))).toEqual({ fixed: 5 });
  expect(mostOf(withMost(step, undefined))).toBeUndefined();
  expect(partOf(step)).toBeUndefined();
  expect(placedWords(coin, SUPPLY)).toBe('Coin');
  expect(placedWords(coin, EMPTY)).toBe('a piece you have not seen');
});

it('keeps what other clients place', () => {
  const step: Step = { do: 'place', place: { set: 3 }, to: { at: MIDDLE } };
  expect(mostOf(step)).toBeUndefined();
  expect(withMost(step, { fixed: 3 })).toEqual({ ...step, place: { rest: { set: 3, most: { fixed: 3 } } } });
  const made: Step = {
    do: 'place',
    place: { container: { kind: 'stack', name: 'Deck' } },
    to: { at: MIDDLE },
  };
  expect(withMost(made, { fixed: 3 })).toEqual(made);
  expect(mostOf(made)).toBeNull();
});

it('makes a step of every kind about parts that fit, and none where there are none', () => {
  for (const { value } of STEP_KINDS) {
    const step = newStep(value, PARTS, SUPPLY);
    expect(step && kindOf(step)).toBe(value);
    const part = step && partOf(step);
    if (part) expect(fitting(value, PARTS).map(({ name }) => name)).toContain(part.name);
  }
  expect(newStep('roll', PARTS, SUPPLY)).toEqual({ do: 'roll', what: { name: 'Die' } });
  expect(newStep('roll', [], EMPTY)).toBeUndefined();
  expect(newStep('say', [], EMPTY)).toEqual({ do: 'say', text: '' });
});

it('changes the part and the number of a step', () => {
  const move = newStep('move', PARTS, SUPPLY);
  if (!move) throw new Error('no step');
  expect(move).toEqual({
    do: 'move',
    what: { from: { name: 'Deck' }, most: { fixed: 1 } },
    to: { into: { name: 'Hand', own: true } },
  });
  const all = withMost(withPart(move, { name: 'Hand', own: true }), undefined);
  expect(all).toMatchObject({ what: { from: { name: 'Hand', own: true } } });
  expect(mostOf(all)).toBeUndefined();
  expect(mostOf(withMost(all, { fixed: 3 }))).toEqual({ fixed: 3 });
  expect(mostOf({ do: 'shuffle', what: { name: 'Deck' } })).toBeNull();
  expect(mostOf({ do: 'say', text: 'x' })).toBeNull();
});

it('keeps all else of a step whose number or part is changed', () => {
  // Steps of other clients take pieces of a set alone.
  const what = { from: { name: 'Deck' }, most: { fixed: 1 }, set: 2 };
  const step: Step = { do: 'flip', each_seat: true, what };
  expect(withMost(step, { fixed: 3 })).toEqual({ ...step, what: { ...what, most: { fixed: 3 } } });
  expect(withPart(step, { name: 'Hand', own: true })).toMatchObject({ what: { most: { fixed: 1 }, set: 2 } });
});

it('says what a button lacks', () => {
  const steps = [{ do: 'shuffle', what: { name: 'Deck' } }] as const;
  expect(buttonFault('Round', steps, new Set())).toBeUndefined();
  expect(buttonFault(' ', steps, new Set())).toBe('Give the button a name.');
  expect(buttonFault('Round', steps, new Set(['Round']))).toBe('Another button has this name.');
  expect(buttonFault('Round', [], new Set())).toBe('Add a step.');
  expect(buttonFault('Round', [{ do: 'say', text: ' ' }], new Set())).toBe('A step has no text.');
});

it('takes whole sets, or some of one by a number or a formula', () => {
  const step = newStep('place', PARTS, { stock: STOCK, sets: SETS });
  if (step?.do !== 'place') throw new Error('no step');
  expect(step.place).toEqual({ rest: { set: 0 } });
  expect(mostOf(step)).toBeUndefined();
  const some = withMost(step, { formula: 'players' });
  expect(some).toMatchObject({ place: { rest: { set: 0, most: { formula: 'players' } } } });
  expect(withMost(some, undefined)).toEqual(step);
  const pieces: Step = { do: 'place', place: { pieces: { definition: 4, copies: 1 } }, to: { at: MIDDLE } };
  const counted = withMost(pieces, { formula: 'round' });
  expect(mostOf(counted)).toEqual({ formula: 'round' });
  expect(withMost(counted, { fixed: 2 })).toMatchObject({ place: { pieces: { definition: 4, copies: 2 } } });
});

it('reads numbers and formulas, and says what is wrong with one', () => {
  expect(readCount('', PARTS, 'pieces')).toEqual({ count: undefined });
  expect(readCount(' 5 ', PARTS, 'pieces')).toEqual({ count: { fixed: 5 } });
  expect(readCount('players + 1', PARTS, 'pieces')).toEqual({
    count: { formula: { plus: ['players', { number: 1 }] } },
  });
  for (const wrong of ['0', '201', '-3', 'five', 'count(Die)', '2 players', '1.5']) {
    expect(readCount(wrong, PARTS, 'pieces'), wrong).toHaveProperty('fault');
  }
  expect(readCount('-3', PARTS, 'value')).toEqual({ count: { fixed: -3 } });
  expect(countText({ formula: { plus: ['players', { number: 1 }] } })).toBe('players + 1');
});

it('sets a value by a number or a formula', () => {
  const step = { do: 'set', what: { name: 'Score' }, value: 3 } as const;
  expect(setValueOf(step)).toEqual({ fixed: 3 });
  const by = withValue(step, { formula: 'round' });
  expect(by).toMatchObject({ formula: 'round' });
  expect(by.do === 'set' && withValue(by, { fixed: 7 })).toEqual({ ...step, value: 7 });
});

it('knows the parts that steps make', () => {
  const hands: Step = {
    do: 'place',
    each_seat: true,
    place: { container: { kind: 'hand', name: 'Hand' } },
    to: { at: MIDDLE },
  };
  const counter: Step = {
    do: 'place',
    place: { pieces: { definition: 4, copies: 1, name: 'Score' } },
    to: { at: MIDDLE },
  };
  expect(withMade([{ name: 'Deck', own: false, is: 'container' }], [hands, counter])).toEqual([
    { name: 'Deck', own: false, is: 'container' },
    { name: 'Hand', own: true, is: 'container' },
    { name: 'Score', own: false, is: 'piece' },
  ]);
});
