import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callAt, completionsAt, type FormulaName } from './completion.ts';
import { evaluate, FUNCTIONS } from './expression.ts';

const NAMES: FormulaName[] = [
  { name: 'Cost', detail: '3' },
  { name: 'Attack power', detail: '7' },
  { name: 'Colour', detail: 'red' },
  { name: 'count', detail: 'how many cards the table has' },
];

/** Completions where a formula has a bar. */
function at(marked: string, asked = false) {
  const caret = marked.indexOf('|');
  const formula = marked.replace('|', '');
  const found = completionsAt(formula, caret, NAMES, asked);
  return found && { ...found, first: found.items[0], all: found.items.map(({ insert }) => insert), formula };
}
/** The formula after the first completion was taken. */
const taken = (marked: string, nth = 0) => {
  const found = at(marked);
  return found && found.formula.slice(0, found.from) + found.all[nth] + found.formula.slice(found.to);
};

test('columns come before functions, and what begins so before what has such a word', () => {
  expect(at('2 * co|')?.all.slice(0, 3)).toEqual(['Cost', 'Colour', 'count']);
  expect(at('2 * co|')?.all).toContain('contains(');
  expect(at('pow|')?.all[0]).toBe('[Attack power]');
  expect(at('COST|')?.first).toMatchObject({ insert: 'Cost', detail: '3' });
});

test('a completion takes the place of the whole word, of brackets too', () => {
  expect(taken('1 + Co|st * 2')).toBe('1 + Cost * 2');
  expect(taken('[att| po] + 1')).toBe('[Attack power] + 1');
  expect(taken('[att|')).toBe('[Attack power]');
  expect(taken('[att| + 1')).toBe('[Attack power] + 1');
  expect(taken('upp|')).toBe('upper(');
  expect(taken('upp|(name)')).toBe('upper(name)');
});

test('columns called like an operator stand in brackets', () => {
  const names = ['Not', 'And', 'or', 'True'].map((name) => ({ name, detail: '1' }));
  const inserts = completionsAt('', 0, names, true)
    ?.items.slice(0, 4)
    .map(({ insert }) => insert);
  expect(inserts).toEqual(['[Not]', '[And]', '[or]', '[True]']);
});

test('nothing is offered inside a text, in a number, or where nothing was typed', () => {
  expect(at("'co|'")).toBeUndefined();
  expect(at("'it\\'s co|")).toBeUndefined();
  expect(at('12|')).toBeUndefined();
  expect(at('cost + |')).toBeUndefined();
  expect(at('cost + |', true)?.all).toContain('Cost');
  expect(at("'a' & co|")?.all[0]).toBe('Cost');
  expect(at('Attack|', true)?.all).toEqual(['[Attack power]']);
  expect(at('zzz|')).toBeUndefined();
});

test('the function is known whose brackets the caret is in', () => {
  const usage = (marked: string) => callAt(marked.replace('|', ''), marked.indexOf('|'))?.usage;
  expect(usage('left(name, |)')).toBe('left(text, count)');
  expect(usage("left(upper('a(' & |")).toBe('upper(text)');
  expect(usage('left((1 + |')).toBe('left(text, count)');
  expect(usage("left('a', 2)|")).toBeUndefined();
  expect(usage('if (cost > 3, |')).toMatch(/^if\(/);
  expect(usage('|left(1)')).toBeUndefined();
});

test('wherever the caret is, a completion replaces what is around it and changes nothing else', () => {
  const anyFormula = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'co',
          'Cost',
          '[Attack power]',
          '[',
          ']',
          '(',
          ')',
          "'",
          '"',
          '\\',
          ' ',
          '+',
          '12',
          'left(',
          ',',
        ),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(anyFormula, fc.nat(), fc.boolean(), (formula, n, asked) => {
      const caret = n % (formula.length + 1);
      callAt(formula, caret);
      const found = completionsAt(formula, caret, NAMES, asked);
      if (!found) return;
      expect(found.from).toBeLessThanOrEqual(caret);
      expect(found.to).toBeGreaterThanOrEqual(caret);
      expect(found.items.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});

test('every name that is inserted can be worked out', () => {
  const scope = (name: string) => NAMES.find((one) => one.name.toLowerCase() === name.toLowerCase())?.detail;
  const names = completionsAt('', 0, NAMES, true)?.items.filter(({ kind }) => kind === 'name') ?? [];
  for (const { insert, detail } of names)
    expect(evaluate(insert, scope)).toEqual({ ok: true, value: detail });
  const functions = completionsAt('', 0, [], true)?.items.map(({ insert }) => insert) ?? [];
  // `if` and `lang` beside those of the table.
  expect(functions).toHaveLength(FUNCTIONS.length + 2);
});
