import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarkupContext } from './braces.ts';
import { type Inline, parseMarkup, plainText } from './markup.ts';

const context: MarkupContext = {
  variables: [
    { kind: 'text', name: 'Fire', value: '*burning* {Flame}' },
    { kind: 'icon', name: 'Flame', source: 'Icons/flame.png', size: 1.2, offset: 0.1 },
    { kind: 'style', name: 'Keyword', style: { weight: 700, color: '#aa0000' } },
    { kind: 'text', name: 'Loop', value: 'again {Loop}' },
    { kind: 'icon', name: 'Ember', source: 'e.png', size: 1, offset: 0, anywhere: true },
    { kind: 'icon', name: 'Ember tide', source: 't.png', size: 2, offset: 0.5, anywhere: true },
    { kind: 'icon', name: 'Credit', source: 'k.png', size: 1, offset: 0, token: '[credit]' },
    { kind: 'icon', name: 'Sword', source: 's.png', size: 1, offset: 0, token: ':sword:' },
    { kind: 'icon', name: 'Wood', source: 'w.png', size: 1, offset: 0, token: 'Wd' },
    { kind: 'icon', name: 'c++ (a|b)', source: 'c.png', size: 1, offset: 0, anywhere: true },
  ],
  columns: [{ key: 'cost', name: 'Gold cost' }],
  cells: { cost: '3', spare: 'x' },
};

function show(item: Inline): string {
  if (item.kind === 'break') return '⏎';
  if (item.kind === 'icon') return `<${item.source} ${item.size} ${item.offset}>`;
  const { look } = item;
  const marks = `${look.weight === 700 ? 'b' : ''}${look.italic ? 'i' : ''}${look.color ?? ''}`;
  return marks === '' ? item.text : `${marks}(${item.text})`;
}

const shown = (source: string): string =>
  parseMarkup(source, context)
    .paragraphs.map(({ inlines, bullet }) => (bullet ? '• ' : '') + inlines.map(show).join(''))
    .join(' ¶ ');

describe('markup', () => {
  test.each([
    ['plain', 'plain'],
    ['*it* **bo** ****both****', 'i(it) b(bo) bi(both)'],
    ['**bold *and italic* text**', 'b(bold )bi(and italic)b( text)'],
    ['_it_ and (_this, too_).', 'i(it) and (i(this, too)).'],
    ['**bo _both_ ld** _it **both**_', 'b(bo )bi(both)b( ld) i(it )bi(both)'],
    ['snake_case_name a_b_ _open', 'snake_case_name a_b_ _open'],
    ['____ and _ not _ or __dunder__', '____ and _ not _ or __dunder__'],
    ['_one\n\ntwo_ \\_kept\\_', '_one ¶ two_ _kept_'],
    ['_a{b_c}d_', 'i(a{b_c}d)'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['*open', '*open'],
    ['* not * closed', '• not * closed'],
    ['a\\*b\\{c\\}', 'a*b{c}'],
    ['one / two', 'one ¶ two'],
    ['one/two', 'one/two'],
    ['one\ntwo', 'one⏎two'],
    ['one\n\ntwo', 'one ¶ two'],
    ['one\n/\ntwo', 'one ¶ two'],
    ['one<br/>two<br>three', 'one⏎two⏎three'],
    ['one<p>two', 'one ¶ two'],
    ['a < b', 'a < b'],
    ['Pick:\n\n  * first\n  * second *thing*\n\nDone', 'Pick: ¶ • first ¶ • second i(thing) ¶ Done'],
    ['- one\n- two', '• one ¶ • two'],
    ['{Gold cost} and {cost} and {spare}', '3 and 3 and x'],
    ['{Flame}', '<Icons/flame.png 1.2 0.1>'],
    ['{flame, 2, -0.5}', '<Icons/flame.png 2 -0.5>'],
    ['({M3/Dice/SQUARE.png})', '(<M3/Dice/SQUARE.png 1 0>)'],
    ['{a/b.webp, 0.9, 0.1}', '<a/b.webp 0.9 0.1>'],
    ['{a/b.png, big}', '{a/b.png, big}'],
    ['Ember', '<e.png 1 0>'],
    ['Gain 2 Ember, or an Ember tide.', 'Gain 2 <e.png 1 0>, or an <t.png 2 0.5>.'],
    ['Pay 3[credit] for credit, Credit', 'Pay 3<k.png 1 0> for credit, Credit'],
    ['a:sword:b :Sword: :sword', 'a<s.png 1 0>b :Sword: :sword'],
    ['2 Wd, not Wde, oWd or Wd\u0308', '2 <w.png 1 0>, not Wde, oWd or Wd\u0308'],
    ['Embers, ember, Éember, _Ember', 'Embers, ember, Éember, _Ember'],
    ['**Ember** {Ember, 2}', '<e.png 1 0> <e.png 2 0>'],
    ['a c++ (a|b) b', 'a <c.png 1 0> b'],
    ['{Fire}', 'i(burning) <Icons/flame.png 1.2 0.1>'],
    ['{Keyword:Strike {i:now}}', 'b#aa0000(Strike )bi#aa0000(now)'],
    ['{Unknown} {Nope:text}', '{Unknown} {Nope:text}'],
    ['**deals {cost} damage**', 'b(deals )b(3)b( damage)'],
    ['[Advance](id:a/b) now', 'Advance now'],
    ['[not a link] (really)', '[not a link] (really)'],
    ['{unclosed', '{unclosed'],
    ['', ''],
  ])('%j', (source, expected) => {
    expect(shown(source)).toBe(expected);
  });

  test('a variable that contains itself ends and is reported', () => {
    const parsed = parseMarkup('{Loop}', context);
    expect(parsed.problems).toHaveLength(1);
    expect(parsed.problems[0]).toContain('Loop');
  });

  test('text without markup stays as it is', () => {
    const words = fc.stringMatching(/^[\p{L}\p{N}.,;:!?'()&%+ ]*$/u).filter((text) => !/^\s|\s$/.test(text));
    fc.assert(
      fc.property(words, (text) => {
        expect(plainText(parseMarkup(text, context).paragraphs)).toBe(text);
      }),
    );
  });

  test('any text is read, and escaping it gives it back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        parseMarkup(text, context);
        const clean = text.replace(/\s+/g, '_').replace(/^-|•/g, '');
        const escaped = clean.replace(/[*{}[\]/\\<]/g, (character) => `\\${character}`);
        expect(plainText(parseMarkup(escaped, context).paragraphs)).toBe(clean);
      }),
    );
  });

  test('hostile nesting ends quickly', () => {
    const variables = Array.from({ length: 10 }, (_, index) => ({
      kind: 'text' as const,
      name: `v${index}`,
      value: `{v${index + 1}}`.repeat(10),
    }));
    const parsed = parseMarkup('{v0}', { variables, columns: [], cells: {} });
    expect(parsed.problems.length).toBeGreaterThanOrEqual(0);
    expect(parsed.paragraphs.flatMap(({ inlines }) => inlines).length).toBeLessThanOrEqual(20_000);
  });
});
