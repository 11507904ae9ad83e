import { expect, it } from 'vitest';
import {
  buttonFault,
  fitting,
  MIDDLE,
  mostOf,
  newStep,
  type Part,
  partOf,
  partsOf,
  placedWords,
  STEP_KINDS,
  type Step,
  type Stock,
  stockOf,
  withMost,
  withPart,
} from './buttons.ts';
import type { Shown } from './messages.ts';

const container = (kind: 'stack' | 'hand', owner?: number) => ({
  kind,
  arrangement: 'free' as const,
  policy: {},
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

it('places pieces in the first pile or area, else in the middle of the table', () => {
  const coin = { pieces: { definition: 4, copies: 1 } };
  const step = newStep('place', PARTS, STOCK);
  expect(step).toEqual({ do: 'place', place: coin, to: { into: { name: 'Deck' } } });
  expect(newStep('place', [], STOCK)).toEqual({ do: 'place', place: coin, to: { at: MIDDLE } });
  expect(newStep('place', PARTS, [])).toBeUndefined();
  if (!step) throw new Error('no step');
  expect(mostOf(withMost(step, 5))).toBe(5);
  expect(mostOf(withMost(step, undefined))).toBeUndefined();
  expect(partOf(step)).toBeUndefined();
  expect(placedWords(coin, STOCK)).toBe('Coin');
  expect(placedWords(coin, [])).toBe('a piece you have not seen');
});

it('keeps what other clients place', () => {
  const step: Step = { do: 'place', place: { set: 3 }, to: { at: MIDDLE } };
  expect(withMost(step, 3)).toBe(step);
  expect(mostOf(step)).toBeNull();
});

it('makes a step of every kind about parts that fit, and none where there are none', () => {
  for (const { value } of STEP_KINDS) {
    const step = newStep(value, PARTS, STOCK);
    expect(step?.do).toBe(value);
    const part = step && partOf(step);
    if (part) expect(fitting(value, PARTS).map(({ name }) => name)).toContain(part.name);
  }
  expect(newStep('roll', PARTS, STOCK)).toEqual({ do: 'roll', what: { name: 'Die' } });
  expect(newStep('roll', [], [])).toBeUndefined();
  expect(newStep('say', [], [])).toEqual({ do: 'say', text: '' });
});

it('changes the part and the number of a step', () => {
  const move = newStep('move', PARTS, STOCK);
  if (!move) throw new Error('no step');
  expect(move).toEqual({
    do: 'move',
    what: { from: { name: 'Deck' }, most: { fixed: 1 } },
    to: { into: { name: 'Hand', own: true } },
  });
  const all = withMost(withPart(move, { name: 'Hand', own: true }), undefined);
  expect(all).toMatchObject({ what: { from: { name: 'Hand', own: true } } });
  expect(mostOf(all)).toBeUndefined();
  expect(mostOf(withMost(all, 3))).toBe(3);
  expect(mostOf(withMost(all, 9_999))).toBe(200);
  expect(mostOf({ do: 'shuffle', what: { name: 'Deck' } })).toBeNull();
  expect(mostOf({ do: 'say', text: 'x' })).toBeNull();
});

it('keeps all else of a step whose number or part is changed', () => {
  // Steps of other clients take pieces of a set alone.
  const what = { from: { name: 'Deck' }, most: { fixed: 1 }, set: 2 };
  const step: Step = { do: 'flip', each_seat: true, what };
  expect(withMost(step, 3)).toEqual({ ...step, what: { ...what, most: { fixed: 3 } } });
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
