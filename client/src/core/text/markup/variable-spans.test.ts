import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Variable } from '../../scene/layout.ts';
import type { MarkupContext } from './braces.ts';
import { parseMarkup, plainText } from './markup.ts';
import { variableSpans } from './variable-spans.ts';

const VARIABLES: readonly Variable[] = [
  { kind: 'text', name: 'Reach', value: 'far' },
  { kind: 'icon', name: 'Force', source: 'force.png', size: 1, offset: 0, anywhere: true },
  { kind: 'icon', name: 'credit', source: 'credit.png', size: 1, offset: 0, token: '[c]' },
  { kind: 'style', name: 'Loud', style: { weight: 700 } },
];
const CONTEXT: MarkupContext = {
  variables: VARIABLES,
  columns: [{ key: 'cost', name: 'Cost' }],
  cells: { cost: '3' },
};
const marked = (text: string) =>
  variableSpans(text, CONTEXT).map(({ from, to, known }) => `${known ? '' : '?'}${text.slice(from, to)}`);

test('variables, columns, images, styles and icons without braces stand out, and names that nothing answers to', () => {
  expect(marked('Pay {Cost}, {Reach} {nobody} {Icons/a.png, 0.9}')).toEqual([
    '{Cost}',
    '{Reach}',
    '?{nobody}',
    '{Icons/a.png, 0.9}',
  ]);
  expect(marked('{Loud: pay {cost} Force}')).toEqual(['{Loud:', '{cost}', 'Force', '}']);
  expect(marked('Force of Forces, [c] paid')).toEqual(['Force', '[c]']);
});

test('braces around something with a meaning are letters', () => {
  expect(marked('{{Cost}} {nobody Force}')).toEqual(['{Cost}', 'Force']);
});

test('escaped, empty and open braces are text', () => {
  expect(marked('\\{Cost} {} {Cost')).toEqual([]);
});

test('the known spans are exactly what a card shows otherwise than it is written', () => {
  const piece = fc.constantFrom(
    '{Cost}',
    '{Reach}',
    '{nobody}',
    '{Loud: hi}',
    'Force',
    ' a ',
    '{',
    '}',
    '\\{',
    '[c]',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const spans = variableSpans(text, CONTEXT);
      let end = 0;
      for (const { from, to } of spans) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(text.length);
      const changed =
        plainText(parseMarkup(text, CONTEXT).paragraphs) !==
        plainText(
          parseMarkup(text, {
            variables: [],
            columns: [],
            cells: {},
          }).paragraphs,
        );
      if (changed) expect(spans.some(({ known }) => known)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a text of nothing but braces takes no long time', () => {
  expect(variableSpans('{'.repeat(20_000), CONTEXT)).toEqual([]);
  expect(variableSpans('{Cost}'.repeat(5_000), CONTEXT)).toHaveLength(2_000);
});
