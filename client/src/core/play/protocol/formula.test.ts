import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Formula, formulaText, readFormula } from './formula.ts';
import type { Part } from './parts.ts';

const PARTS: readonly Part[] = [
  { name: 'Deck', own: false, is: 'container' },
  { name: 'Hand', own: true, is: 'container' },
  { name: 'Pile (2)', own: false, is: 'container' },
  { name: 'Score', own: false, is: 'piece' },
  { name: 'Red die', own: false, is: 'die' },
];
const refOf = ({ name, own }: Part) => ({ name, ...(own && { own: true }) });
const partOf = (is: (part: Part) => boolean) => fc.constantFrom(...PARTS.filter(is).map(refOf));

const { formula } = fc.letrec<{ formula: Formula; leaf: Formula; pair: readonly [Formula, Formula] }>(
  (tie) => ({
    leaf: fc.oneof(
      fc.constantFrom<Formula>('players', 'round'),
      fc.integer({ min: -50, max: 1_000 }).map((number): Formula => ({ number })),
      partOf(({ is }) => is === 'container').map((count): Formula => ({ count })),
      partOf(({ is }) => is !== 'container').map((value): Formula => ({ value })),
    ),
    pair: fc.tuple(tie('formula'), tie('formula')),
    formula: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      fc
        .tuple(fc.constantFrom('plus', 'minus', 'times', 'over', 'up', 'min', 'max'), tie('pair'))
        .map(([sign, pair]) => ({ [sign]: pair }) as Formula),
    ),
  }),
);

it('reads every formula as it is written', () => {
  const size = (text: string) => text.match(/\d+|[a-z]+|[+−×÷]/g)?.length ?? 0;
  fc.assert(
    fc.property(formula, (one) => {
      const text = formulaText(one);
      fc.pre(size(text) <= 30);
      expect(readFormula(text, PARTS)).toEqual({ formula: one });
    }),
  );
});

it('takes the signs and names that people write', () => {
  const count = { count: { name: 'Deck' } };
  for (const [text, expected] of [
    ['players+1', { plus: ['players', { number: 1 }] }],
    ['Count( deck )/2', { over: [count, { number: 2 }] }],
    ['5 - count(own Hand)', { minus: [{ number: 5 }, { count: { name: 'Hand', own: true } }] }],
    ['5 - count(Hand of the player)', { minus: [{ number: 5 }, { count: { name: 'Hand', own: true } }] }],
    ['up(count(Deck) / players)', { up: [count, 'players'] }],
    ['min(3, players, round)', { min: [{ min: [{ number: 3 }, 'players'] }, 'round'] }],
    ['1 + 2 * 3', { plus: [{ number: 1 }, { times: [{ number: 2 }, { number: 3 }] }] }],
    ['(1 + 2) × 3', { times: [{ plus: [{ number: 1 }, { number: 2 }] }, { number: 3 }] }],
    ['count(Pile (2))', { count: { name: 'Pile (2)' } }],
    ['-value(Score)', { minus: [{ number: 0 }, { value: { name: 'Score' } }] }],
  ] as const) {
    expect(readFormula(text, PARTS), text).toEqual({ formula: expected });
  }
});

it('says in words what is wrong', () => {
  for (const [text, fault] of [
    ['players +', 'Something is missing at the end.'],
    ['* 3', 'A number or a name is missing before “*”.'],
    ['players players', '“players” is not expected here.'],
    ['seats + 1', /“seats” is not known. Use players/],
    ['count Deck', '“(” is missing after count.'],
    ['count(Deck', '“)” is missing.'],
    ['count(Bank)', 'Nothing at the table is called “Bank”.'],
    ['count(Red die)', '“Red die” holds no pieces: it cannot be counted.'],
    ['value(Deck)', '“Deck” has no value.'],
    ['1.5', '“1.5” is not a whole number.'],
    ['max(3)', /takes two numbers or more/],
    ['up(3)', /rounds a division up/],
    ['99999999999', /more than a counter holds/],
    [Array.from({ length: 41 }, () => '1').join('+'), /at most 40/],
  ] as const) {
    expect(readFormula(text, PARTS), text).toEqual({
      fault: typeof fault === 'string' ? fault : expect.stringMatching(fault),
    });
  }
});
