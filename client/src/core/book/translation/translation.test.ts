import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranslation, otherWords } from '../../testing/translations.ts';
import {
  checkedText,
  type Entry,
  keepUnchanged,
  printedTexts,
  stateCounts,
  withSettled,
} from '../../translation/translation.ts';
import {
  type Block,
  type Inline,
  parseRulebook,
  RULEBOOK_VERSION,
  type Rulebook,
} from '../document/schema.ts';
import { allBlocks, inlinesOf } from '../document/walk.ts';
import { translated, translatedUnits } from './translation.ts';
import { unitsOf, withTexts } from './units.ts';

const idsOf = (book: Rulebook): string[] =>
  [...allBlocks(book.blocks)].map(({ id, type }) => `${type} ${id}`);
const placeholdersOf = (book: Rulebook): string[] =>
  [...allBlocks(book.blocks)].map((block) =>
    inlinesOf(block)
      .flat()
      .filter(({ type }) => type !== 'text' && type !== 'break')
      .map((inline) => JSON.stringify(inline.type === 'term' ? inline.definition : inline))
      .sort()
      .join(' '),
  );

test('a translated rulebook is one: its blocks, ids and placeholders are those of the source', () => {
  fc.assert(
    fc.property(anyTranslation, ({ book, entries }) => {
      const other = translated(book, 'de', entries);
      parseRulebook(other);
      expect(other.language).toBe('de');
      expect(idsOf(other)).toEqual(idsOf(book));
      expect(placeholdersOf(other)).toEqual(placeholdersOf(book));
    }),
  );
});

test('where nothing is translated the source stands, and everything that is translated is shown', () => {
  fc.assert(
    fc.property(anyTranslation, ({ book, entries }) => {
      const texts = new Map(unitsOf(translated(book, 'de', entries)).map(({ id, source }) => [id, source]));
      for (const { unit, state, text } of translatedUnits(book, entries)) {
        expect(texts.get(unit.id)).toBe(state === 'missing' ? unit.source : text);
        if (text !== undefined) expect(checkedText(unit, text)).toBe(text);
      }
    }),
  );
});

test('one changed text makes exactly one stale, and translating it none', () => {
  fc.assert(
    fc.property(anyTranslation, fc.nat(), ({ book }, at) => {
      const units = unitsOf(book);
      const entries = new Map(
        units.map((unit) => [unit.id, { source: unit.source, text: otherWords(unit, 'ü') }]),
      );
      expect(stateCounts(translatedUnits(book, entries))).toEqual({
        missing: 0,
        stale: 0,
        done: units.length,
      });
      const paragraphs = book.blocks.filter(
        ({ type, id }) => type === 'paragraph' && entries.has(`${id}.text`),
      );
      fc.pre(paragraphs.length > 0);
      const changed = paragraphs[at % paragraphs.length]?.id;
      const blocks = book.blocks.map(
        (block): Block =>
          block.type === 'paragraph' && block.id === changed
            ? { ...block, content: [...block.content, { type: 'text', text: ' Then stop.' }] }
            : block,
      );
      const after = translatedUnits({ ...book, blocks }, entries);
      const stale = after.filter(({ state }) => state === 'stale');
      expect(stale.map(({ unit }) => unit.id)).toEqual([`${changed}.text`]);
      const [one] = stale;
      expect(one?.was).toBe(entries.get(`${changed}.text`)?.source);
      if (one) entries.set(one.unit.id, { source: one.unit.source, text: one.text ?? '' });
      expect(stateCounts(translatedUnits({ ...book, blocks }, entries)).stale).toBe(0);
    }),
  );
});

const words = (text: string): Inline[] => [{ type: 'text', text }];
const bookOf = (...blocks: Block[]): Rulebook => ({
  version: RULEBOOK_VERSION,
  title: '7',
  subtitle: '',
  language: 'en',
  blocks,
});

test('a row that is put into a table leaves the translations of the others', () => {
  const table = (...rows: string[][]) =>
    bookOf({ type: 'table', id: 't', caption: [], headRows: 0, rows: rows.map((row) => row.map(words)) });
  const before = table(['Ash', 'Burns'], ['Sea', 'Wets']);
  const entries = new Map<string, Entry>(
    unitsOf(before).map(({ id, source }) => [id, { source, text: `${source} (de)` }]),
  );
  const after = table(['Ash', 'Burns'], ['Fog', 'Hides'], ['Sea', 'Wets']);
  expect(translatedUnits(after, entries).map(({ unit, state, text }) => [unit.source, state, text])).toEqual([
    ['Ash', 'done', 'Ash (de)'],
    ['Burns', 'done', 'Burns (de)'],
    ['Fog', 'missing', undefined],
    ['Hides', 'missing', undefined],
    ['Sea', 'done', 'Sea (de)'],
    ['Wets', 'done', 'Wets (de)'],
  ]);
});

test('numbers and icons are no texts to translate', () => {
  const book = bookOf(
    { type: 'paragraph', id: 'a', content: words('3–4') },
    { type: 'paragraph', id: 'b', content: [{ type: 'icon', name: 'energy' }] },
    { type: 'paragraph', id: 'c', content: words('Draw 3') },
  );
  expect(unitsOf(book).map(({ id }) => id)).toEqual(['c.text']);
});

test('a stored text that is none is left out: the source stands', () => {
  const book = bookOf(
    { type: 'paragraph', id: 'p', content: words('Draw') },
    { type: 'callout', id: 'c', kind: 'note', title: 'Beware', blocks: [] },
  );
  const entries = new Map([
    ['p.text', { source: 'Draw', text: '<t d>' }],
    ['c.title', { source: 'Beware', text: 'x'.repeat(300) }],
  ]);
  const other = translated(book, 'de', entries);
  expect(other.blocks).toEqual(book.blocks);
  parseRulebook(other);
});

test('a cell that is translated takes no other cell the translation that had moved', () => {
  const anyWords = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 2, maxLength: 8 });
  const table = (list: readonly string[]) =>
    bookOf({ type: 'table', id: 't', caption: [], headRows: 0, rows: list.map((one) => [words(one)]) });
  fc.assert(
    fc.property(anyWords, fc.nat(), fc.nat(), (list, from, to) => {
      const entries = new Map<string, Entry>(
        unitsOf(table(list)).map(({ id, source }) => [id, { source, text: `${source} (de)` }]),
      );
      // A row goes out and another comes in somewhere else.
      const left = list.filter((_, at) => at !== from % list.length);
      const at = to % (left.length + 1);
      const after = table([...left.slice(0, at), 'ANEW', ...left.slice(at)]);
      const before = translatedUnits(after, entries);
      const anew = before.find(({ unit }) => unit.source === 'ANEW');
      if (!anew) throw new Error('The row is not there.');
      const changes = withSettled(
        new Map([[anew.unit.id, { source: 'ANEW', text: 'NEU' }]]),
        before,
        entries,
      );
      for (const [id, entry] of changes) if (entry) entries.set(id, entry);
      expect(
        translatedUnits(after, entries).map(({ unit, state, text }) => [unit.source, state, text]),
      ).toEqual(
        before.map(({ unit, state, text }) =>
          unit.source === 'ANEW' ? ['ANEW', 'done', 'NEU'] : [unit.source, state, text],
        ),
      );
    }),
  );
});

test('a stale translation with placeholders that the source no longer has is not printed: the source stands', () => {
  const paragraph = (...content: Inline[]) => bookOf({ type: 'paragraph', id: 'p', content });
  const before = paragraph(...words('Draw '), { type: 'icon', name: 'energy' });
  const [unit] = unitsOf(before);
  const entries = new Map([['p.text', { source: unit?.source ?? '', text: 'Zieh {energy}' }]]);
  expect(translated(before, 'de', entries).blocks).not.toEqual(before.blocks);

  const after = paragraph(...words('Draw two'));
  expect(translated(after, 'de', entries).blocks).toEqual(after.blocks);
  const [one] = translatedUnits(after, entries);
  expect(one).toMatchObject({ state: 'stale', text: 'Zieh {energy}' });
  expect(one?.fault).toContain('{energy}');
  expect(printedTexts(translatedUnits(after, entries)).size).toBe(0);
  // An edition that was published before has it still, and its readers get the source.
  expect(withTexts(after, 'de', () => 'Zieh {energy}').blocks).toEqual(after.blocks);
});

test('a change of one text leaves the other units the same objects', () => {
  fc.assert(
    fc.property(anyTranslation, fc.nat(), ({ book, entries }, at) => {
      const before = translatedUnits(book, entries);
      expect(unitsOf(book)).toBe(unitsOf(book));
      const copy = structuredClone(book);
      const same = keepUnchanged(before, translatedUnits(copy, entries));
      expect(same.every((one, index) => one === before[index])).toBe(true);
      const changed = before[at % before.length]?.unit;
      fc.pre(changed !== undefined);
      const more = new Map([...entries, [changed.id, { source: changed.source, text: 'Anders' }]]);
      const after = translatedUnits(copy, more);
      const kept = keepUnchanged(before, after);
      expect(kept).toEqual(after);
      const others = kept.filter((one, index) => one !== before[index]);
      expect(others.every(({ unit }) => unit.place === changed.place)).toBe(true);
    }),
  );
});
