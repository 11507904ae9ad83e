import { expect, test } from 'vitest';
import { type Block, RULEBOOK_VERSION, type Rulebook } from '../document/schema.ts';
import { translationFindings } from './findings.ts';
import { translatedUnits } from './translation.ts';

const book = (texts: readonly string[]): Rulebook => ({
  version: RULEBOOK_VERSION,
  title: '7',
  subtitle: '',
  language: 'en',
  blocks: texts.map(
    (text, at): Block => ({ type: 'paragraph', id: `p${at}`, content: [{ type: 'text', text }] }),
  ),
});

test('each stale text is named, and the missing ones are counted, with the first to go to', () => {
  const entries = new Map([
    ['p0.text', { source: 'Draw.', text: 'Zieh.' }],
    ['p1.text', { source: 'Draw one.', text: 'Zieh eine.' }],
  ]);
  const found = translationFindings(
    'de',
    translatedUnits(book(['Draw.', 'Draw two.', 'Stop.', 'Go.']), entries),
  );
  expect(found).toEqual([
    {
      code: 'translation-stale',
      language: 'de',
      unit: 'p1.text',
      message: 'German: “Draw two.” has changed since it was translated.',
    },
    {
      code: 'translation-missing',
      language: 'de',
      unit: 'p2.text',
      message: 'German: 2 texts are not translated, so readers see the source. The first is “Stop.”.',
    },
  ]);
  expect(translationFindings('de', translatedUnits(book(['Draw.']), entries))).toEqual([]);
});

test('a rulebook that changed everywhere names some texts and counts the rest', () => {
  const texts = Array.from({ length: 40 }, (_, at) => `Text ${at}`);
  const entries = new Map(texts.map((_, at) => [`p${at}.text`, { source: 'Old', text: 'Alt' }]));
  const found = translationFindings('pt-br', translatedUnits(book(texts), entries));
  expect(found).toHaveLength(31);
  expect(found.at(-1)?.message).toBe(
    'Brazilian Portuguese: 10 more texts have changed since they were translated.',
  );
});

test('a stale text whose translation does not fit any longer says that the source is printed', () => {
  const entries = new Map([['p0.text', { source: 'Draw {energy}.', text: 'Zieh {energy}.' }]]);
  expect(translationFindings('de', translatedUnits(book(['Draw two.']), entries))).toMatchObject([
    {
      message:
        'German: “Draw two.” has changed since it was translated, and its translation no longer fits, so readers see the source.',
    },
  ]);
});
