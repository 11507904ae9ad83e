import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printOnlyHash, readPrintOnly } from './print-only.ts';

test('the cards that an address asks for are read from it again, whatever the words', () => {
  const anyId = fc.stringMatching(/^[A-Za-z0-9_~-]{1,20}$/);
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 30 }), fc.string({ unit: 'grapheme' }), (cards, words) => {
      const { hash } = new URL(`https://a.test/decks/print/p?language=de${printOnlyHash({ cards, words })}`);
      expect(readPrintOnly(hash)).toEqual({ cards, words });
    }),
  );
});

test('an address that asks for no cards in particular is for all of them', () => {
  expect(readPrintOnly('')).toBeUndefined();
  expect(readPrintOnly('#somewhere')).toBeUndefined();
});
