import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyContent } from '../../testing/translations.ts';
import { UNSAFE } from '../../translation/pieces.ts';
import type { Inline } from '../document/schema.ts';
import { normal, readNotation, writeNotation } from './notation.ts';
import { checkedNotation } from './placeholders.ts';

test('every text of a block is written in the notation and read again as it was', () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const written = writeNotation(content);
      expect(readNotation(written)).toEqual(normal(content));
      // XML and fields of text hold every character of it.
      expect(written.replaceAll('\n', '').match(UNSAFE)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

test('whatever somebody types is read or refused, and what is read has one form', () => {
  const anyTyped = fc.array(
    fc.oneof(
      fc.constantFrom(
        '<b>',
        '</b>',
        '<i>',
        '</i>',
        '<t x>',
        '</t>',
        '{a}',
        '{@b}',
        '{{c}}',
        '{§page d}',
        '\\',
        '\n',
        '{',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(anyTyped, (parts) => {
      let read: Inline[];
      try {
        read = readNotation(parts.join(''));
      } catch (error) {
        expect((error as Error).name).toBe('TranslationError');
        return;
      }
      expect(readNotation(writeNotation(read))).toEqual(read);
    }),
    { numRuns: 2_000 },
  );
});

test('marks span what stands between marked words', () => {
  const content: Inline[] = [
    { type: 'text', text: 'Draw ', marks: ['strong'] },
    { type: 'icon', name: 'energy' },
    { type: 'text', text: ' now', marks: ['strong'] },
    { type: 'text', text: ', or ' },
    { type: 'term', definition: 'd1', text: 'rest' },
    { type: 'break' },
    { type: 'reference', block: 'b2', show: 'page' },
  ];
  expect(writeNotation(content)).toBe('<b>Draw {energy} now</b>, or <t d1>rest</t>\n{§page b2}');
});

const SOURCE = 'Pay {energy} and <b>draw</b> {{count(Cards)}} cards of <t d1>energy</t>.';

test.each([
  [
    'Zahle und <b>ziehe</b> {{count(Cards)}} Karten <t d1>Energie</t>.',
    /\{energy\} .*beside “and” is missing/,
  ],
  [
    '{energy}{energy} <b>ziehe</b> {{count(Cards)}} <t d1>Energie</t>',
    /\{energy\} beside “ziehe” is not in the source/,
  ],
  ['{energy} <b>ziehe {{count(Cards)}} <t d1>Energie</t>', /<b> is not closed/],
  ['{energy} ziehe</b> {{count(Cards)}} <t d1>Energie</t>', /<\/b> closes nothing/],
  ['{energy} <b>ziehe</b> {{count(Cards)}} <t d1> </t>', /<t d1> has no words/],
  ['{energy} <b>ziehe</b> {{count(Cards)}} <t d1>{energy}</t>', /Only words can stand between <t d1>/],
  ['{energie} <b>ziehe</b> {{count(Cards)}} <t d1>Energie</t>', /\{energy\} .*is missing.*\{energie\}/],
  ['  ', /cannot be empty/],
  ['x'.repeat(20_001), /at most 20000 characters/],
])(
  'a translation that loses, doubles or breaks a placeholder is refused with its place: %s',
  (text, message) => {
    expect(() => checkedNotation(SOURCE, text)).toThrow(message);
  },
);

test('placeholders may stand in any order, and signs need no backslash where they are no placeholder', () => {
  const text = 'Ziehe <b>gleich</b> {{count(Cards)}} Karten <t d1>Energie</t> für {energy} (wenn x < 5)';
  expect(readNotation(checkedNotation(SOURCE, text)).at(-1)).toEqual({ type: 'text', text: ' (wenn x < 5)' });
});
