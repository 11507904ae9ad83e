import { expect, test } from 'vitest';
import { RULEBOOK_VERSION } from '../document/schema.ts';
import { EDITION_VERSION, type Edition, editionIn, parseEdition } from './edition.ts';

const EDITION: Edition = {
  version: EDITION_VERSION,
  number: 1,
  name: '',
  at: 5,
  book: {
    version: RULEBOOK_VERSION,
    title: 'Rules',
    subtitle: '',
    language: 'en-gb',
    blocks: [
      { type: 'paragraph', id: 'a', content: [{ type: 'text', text: 'Draw.' }] },
      { type: 'paragraph', id: 'b', content: [{ type: 'text', text: 'Stop.' }] },
    ],
  },
  cards: [],
  icons: [],
  figures: [],
  values: [],
  components: [],
  translations: [{ language: 'de', texts: { '.title': 'Regeln', 'a.text': 'Zieh.', 'gone.text': 'Weg.' } }],
};

test('an edition is read in one of its languages, the source where a text is missing', () => {
  const { book } = editionIn(parseEdition(JSON.parse(JSON.stringify(EDITION))), 'de');
  expect([book.language, book.title]).toEqual(['de', 'Regeln']);
  expect(book.blocks.map((block) => 'content' in block && block.content)).toEqual([
    [{ type: 'text', text: 'Zieh.' }],
    [{ type: 'text', text: 'Stop.' }],
  ]);
});

test('a language that an edition has not, or none, shows its own', () => {
  expect(editionIn(EDITION, 'fr')).toBe(EDITION);
  expect(editionIn(EDITION, null)).toBe(EDITION);
  expect(editionIn({ ...EDITION, translations: undefined }, 'de').book).toBe(EDITION.book);
});

test('an edition with a language tag that is none is refused', () => {
  const odd = { ...EDITION, translations: [{ language: '"><script>', texts: {} }] };
  expect(() => parseEdition(odd)).toThrow(/translations\.0\.language/);
});
