import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFormula, evaluate, evaluateText, FUNCTIONS, type Value } from './expression.ts';
import { rowScope } from './row-scope.ts';
import { MAX_LIST, MAX_TEXT } from './value.ts';

const scope = rowScope(
  {
    cells: { c1: '5', name: 'Ember Warden', tags: 'fire, beast; old', 'Attack power': '3', none: '' },
    index: 4,
    count: 12,
  },
  [
    { key: 'c1', name: 'Cost' },
    { key: 'name', name: 'Name' },
  ],
);

function worth(formula: string): Value {
  const result = evaluate(formula, scope);
  if (!result.ok) throw new Error(`${formula}: ${result.error.message}`);
  return result.value;
}

describe('a formula', () => {
  test.each<[string, Value]>([
    ["cost > 3 ? 'red' : 'black'", 'red'],
    ["{{ Cost > 3 ? 'red' : 'black' }}", 'red'],
    ["cost > 3 and not (cost = 5) ? 'a' : cost == 5 ? 'b' : 'c'", 'b'],
    ['1 + 2 * 3 ^ 2 ^ 1 - -4', 23],
    ['(1 + 2) * 3 % 4', 1],
    ['-7 % 3', 2],
    ['cost + 1', 6],
    ["cost & '/' & [Attack power]", '5/3'],
    ["'a' + 'b'", 'ab'],
    ['0.1 + 0.2 == 0.3 ? 1 : 0', 0],
    ["name = 'EMBER warden '", true],
    ["none ?? 'free'", 'free'],
    ["none | 'free'", 'free'],
    ["if(none, 'x')", ''],
    ["if(cost > 3, 'big', 1 / 0)", 'big'],
    ["switch(cost, 1, 'one', 5, 'five', 'more')", 'five'],
    ["switch(cost, 1, 'one', 'more')", 'more'],
    ["contains(tags, 'BEAST')", true],
    ["contains(split(tags), 'bea')", false],
    ["pad(index, 3, '0')", '004'],
    ['round(10 / 3, 2)', 3.33],
    ['fixed(2, 2)', '2.00'],
    ['count - index', 8],
    ['length(split(tags))', 3],
    ["join(reverse(sort(list(10, 9, 'b'))), '-')", 'b-10-9'],
    ['item(split(tags), -1)', 'old'],
    ["repeat('★', cost)", '★★★★★'],
    ['sum(range(1, 10), 5)', 60],
    ["countOf(list('a', 'A', 'b'), 'a')", 2],
    ['roman(1994)', 'MCMXCIV'],
    ["title('the LONG watch')", 'The Long Watch'],
    ["mid('abcdef', 2, 3) & left('xyz', 2) & right('uvw')", 'bcdxyw'],
    ["replace('a-b-c', '-', '+')", 'a+b+c'],
    ["number('2,5') * 2", 5],
    ["'it\\'s'", "it's"],
    ['“curly” & ‘too’', 'curlytoo'],
    ['{{cost}} of {{count}}', '5 of 12'],
    ['', ''],
  ])('%s', (formula, expected) => {
    expect(worth(formula)).toEqual(expected);
  });

  test.each<[string, number, RegExp]>([
    ['cost >', 6, /stops in the middle/],
    ['1 + wealth', 4, /no column or variable «wealth»/],
    ['uper(name)', 0, /no function uper; did you mean upper/],
    ['round()', 0, /round\(number, decimals\)/],
    ['(1 + 2', 6, /A \) is missing/],
    ['name * 2', 0, /«Ember Warden» is not a number/],
    ["'open", 0, /closing/],
    ['1 / 0', 0, /divided by 0/],
    ['2 # 3', 2, /means nothing/],
    ['name.cost', 0, /Only texts of a project/],
    ['name. cost', 4, /means nothing/],
    ['(1 + 2).cost', 7, /not expected/],
    ['1 2', 2, /not expected/],
    ['text {{ 1 + }} more', 12, /stops in the middle/],
  ])('%s is wrong at %i', (formula, at, message) => {
    const result = evaluate(formula, scope);
    expect(result).toMatchObject({ ok: false, error: { at, message: expect.stringMatching(message) } });
  });

  test('is checked without a row', () => {
    expect(checkFormula('anything + 1')).toBeUndefined();
    expect(checkFormula('x {{ 1 + }}')).toMatchObject({ at: 9 });
  });

  test('in text leaves the rest alone and reports each fault', () => {
    const result = evaluateText("Pay {{cost}} {coin}, it{{ 's }} { {{ 2 * }}", scope);
    expect(result.text).toBe('Pay 5 {coin}, it { ');
    expect(result.errors).toHaveLength(2);
  });

  test('has no names but those given: nothing of the host shows through', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'globalThis', 'hasOwnProperty']) {
      expect(evaluate(name, scope).ok).toBe(false);
      expect(evaluate(`${name}()`, scope).ok).toBe(false);
    }
  });
});

/** Formulas that are mostly well formed, deep and wide. */
const formulas = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(
      'cost',
      'name',
      'tags',
      '[Attack power]',
      "'text'",
      '3',
      '0',
      '1e9',
      '.5',
      'true',
      'list()',
    ),
    fc
      .tuple(
        tie('node'),
        fc.constantFrom('+', '-', '*', '/', '%', '^', '&', '==', '<', '??', 'and', 'or'),
        tie('node'),
      )
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        fc.constantFrom(...FUNCTIONS.map(({ name }) => name), 'if', 'nothing'),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([name, given]) => `${name}(${given.join(', ')})`),
    tie('node').map((a) => `-${a}`),
  ),
})).node;

function depthOf(value: Value): number {
  return typeof value === 'object' ? 1 + Math.max(0, ...value.map(depthOf)) : 0;
}

describe('whatever is written', () => {
  test('random text never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}()[]\'"+-*/%^&|<>=!?:,. a1\\') })),
        (text) => {
          const result = evaluate(text, scope);
          if (!result.ok) expect(result.error.at).toBeLessThanOrEqual(text.length);
          evaluateText(text, scope);
          checkFormula(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('formulas end with a bounded value or an error with its place', () => {
    fc.assert(
      fc.property(formulas, (formula) => {
        const result = evaluate(formula, scope);
        if (!result.ok) {
          expect(result.error.message).not.toBe('');
          expect(result.error.at).toBeGreaterThanOrEqual(0);
        } else if (typeof result.value === 'string')
          expect(result.value.length).toBeLessThanOrEqual(MAX_TEXT);
        else if (typeof result.value === 'number') expect(Number.isFinite(result.value)).toBe(true);
        else if (typeof result.value === 'object') {
          expect(result.value.length).toBeLessThanOrEqual(MAX_LIST);
          expect(depthOf(result.value)).toBeLessThan(60);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('the same formula gives the same value', () => {
    fc.assert(
      fc.property(formulas, (formula) => {
        expect(evaluate(formula, scope)).toEqual(evaluate(formula, scope));
      }),
    );
  });

  test.each([
    ['deep brackets', `${'('.repeat(900)}1${')'.repeat(900)}`],
    ['deep prefixes', `${'!'.repeat(1_900)}1`],
    ['deep choices', `${'1?'.repeat(600)}1${':1'.repeat(300)}`],
    ['deep powers', `${'2^'.repeat(900)}2`],
    [
      'text that doubles',
      `${Array.from({ length: 30 }, () => 'repeat(').join('')}'ab'${', 20000)'.repeat(30)}`,
    ],
    ['long chains', Array.from({ length: 900 }, () => '1').join('+')],
    ['nested lists', `${'list('.repeat(50)}range(1000)${')'.repeat(50)}`],
    ['nested sums', `${'sum(range(1000),'.repeat(20)}1${')'.repeat(20)}`],
  ])('%s end', (_name, formula) => {
    evaluate(formula, scope);
  });
});
