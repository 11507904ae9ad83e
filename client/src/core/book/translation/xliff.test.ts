import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranslation } from '../../testing/translations.ts';
import { type ImportPlan, planImport } from '../../translation/import.ts';
import type { Entries, Entry } from '../../translation/translation.ts';
import { decodeXliff, readXliff } from '../../translation/xliff-read.ts';
import { type TranslationHead, writeXliff } from '../../translation/xliff-write.ts';
import { type Block, type Inline, RULEBOOK_VERSION, type Rulebook } from '../document/schema.ts';
import { translatedUnits } from './translation.ts';
import { unitsOf } from './units.ts';

const headOf = ({ title, language }: Rulebook): TranslationHead => ({
  whole: 'rulebook',
  id: 'r1',
  title,
  from: language,
  to: 'de',
});
const exported = (book: Rulebook, entries: Entries): string =>
  writeXliff(headOf(book), translatedUnits(book, entries));
const planned = (text: string, book: Rulebook, entries: Entries): ImportPlan =>
  planImport(readXliff(text), headOf(book), translatedUnits(book, entries));
const taken = ({ items }: ImportPlan, entries: Entries): Map<string, Entry> =>
  new Map([...entries, ...items.flatMap(({ id, entry }): [string, Entry][] => (entry ? [[id, entry]] : []))]);

test('a file that nobody changed changes nothing, and makes the same translation where there is none', () => {
  fc.assert(
    fc.property(anyTranslation, ({ book, entries }) => {
      const text = exported(book, entries);
      expect(planned(text, book, entries).items).toEqual([]);
      const fresh = taken(planned(text, book, new Map()), new Map());
      expect(exported(book, fresh)).toBe(text);
      const [wanted, found] = [entries, fresh].map((one) => translatedUnits(book, one));
      expect(found).toEqual(wanted);
    }),
    { numRuns: 100 },
  );
});

const words = (text: string): Inline[] => [{ type: 'text', text }];
const paragraph = (id: string, content: Inline[]): Block => ({ type: 'paragraph', id, content });
const BOOK: Rulebook = {
  version: RULEBOOK_VERSION,
  title: 'Rules & more',
  subtitle: '',
  language: 'en-gb',
  blocks: [
    paragraph('a', [...words('Pay '), { type: 'icon', name: 'energy' }, ...words(' now.')]),
    paragraph('b', [{ type: 'text', text: 'Stop', marks: ['strong'] }, ...words(' there.')]),
    paragraph('c', words('Draw a card.')),
  ],
};
const ENTRIES: Entries = new Map([
  ['a.text', { source: 'Pay {energy} now.', text: 'Zahle {energy} sofort.' }],
  ['c.text', { source: 'Draw one card.', text: 'Ziehe eine Karte.' }],
]);
const TEXT = exported(BOOK, ENTRIES);

test('placeholders are elements that say what they are', () => {
  expect(TEXT).toContain(
    '<source>Pay <ph id="1" type="image" canCopy="no" canDelete="no" disp="{energy}" dataRef="d1"/> now.</source>',
  );
  expect(TEXT).toContain('<data id="d1">{energy}</data>');
  expect(TEXT).toMatch(/<source><pc id="1" type="fmt" subType="xlf:b"[^>]*>Stop<\/pc> there\.<\/source>/);
  expect(TEXT).toContain('<note category="former-source">Draw one card.</note>');
});

const row = ({ id, change, before, after, stale, problem }: ImportPlan['items'][number]) => ({
  id,
  change,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
  ...(stale && { stale }),
  ...(problem !== undefined && { problem }),
});

test('changes are listed one by one, and what is broken is refused beside what is not', () => {
  const changed = TEXT.replace('>Zahle <ph id="1"', '>Bezahle <ph id="1"')
    .replace(
      '<segment state="initial">\n        <source>Draw',
      '<segment state="translated">\n        <source>Draw',
    )
    .replace(/(<source><pc.*<\/source>)/, '$1\n        <target>Halt dort.</target>');
  expect(planned(changed, BOOK, ENTRIES).items.map(row)).toEqual([
    { id: 'a.text', change: 'changed', before: 'Zahle {energy} sofort.', after: 'Bezahle {energy} sofort.' },
    {
      id: 'b.text',
      change: 'refused',
      after: 'Halt dort.',
      problem: 'The placeholder <b>…</b> of the source beside “Stop” is missing.',
    },
    { id: 'c.text', change: 'accepted', before: 'Ziehe eine Karte.', after: 'Ziehe eine Karte.' },
  ]);
});

test('a text whose source has changed since is stale, and never replaces a newer translation', () => {
  const later: Rulebook = {
    ...BOOK,
    blocks: [paragraph('a', words('Pay nothing.')), paragraph('c', words('Draw.'))],
  };
  const plan = planned(
    TEXT.replace('eine Karte', 'Karten'),
    later,
    new Map([['c.text', { source: 'Draw.', text: 'Zieh.' }]]),
  );
  expect(plan.items.map(row)).toEqual([
    { id: 'a.text', change: 'added', after: 'Zahle {energy} sofort.', stale: true },
    {
      id: 'b.text',
      change: 'refused',
      problem: 'The rulebook no longer has this text.',
    },
    {
      id: 'c.text',
      change: 'refused',
      before: 'Zieh.',
      after: 'Ziehe Karten.',
      stale: true,
      problem: 'Its source has changed since the file was made, and has a new translation, which is kept.',
    },
  ]);
  const [one] = translatedUnits(later, taken(plan, new Map())).filter(({ unit }) => unit.id === 'a.text');
  expect(one).toMatchObject({ state: 'stale', was: 'Pay {energy} now.' });
});

test('other programs may divide, annotate and mark a text', () => {
  const mine = TEXT.replace(
    /<unit id="a\.text"[\s\S]*?<\/unit>/,
    `<unit id="a.text" xmlns:x="urn:x"><x:matches><x:source>no</x:source></x:matches>
      <originalData><data id="d1">{energy}</data></originalData>
      <segment state="final"><source>Pay <ph id="1" dataRef="d1"/></source><target><mrk id="m">Zahl </mrk><ph id="1" dataRef="d1"/></target></segment>
      <ignorable><source> </source></ignorable>
      <segment state="final"><source>now.</source><target><cp hex="006A"/>etzt.</target></segment></unit>`,
  ).replace(
    /<unit id="b\.text"[\s\S]*?<\/unit>/,
    `<unit id="b.text"><originalData><data id="d1">&lt;b&gt;</data><data id="d2">&lt;/b&gt;</data></originalData>
      <segment><source><sc id="1" dataRef="d1"/>Stop<ec startRef="1" dataRef="d2"/> there.</source><target><sc id="1" dataRef="d1"/>Halt<ec startRef="1" dataRef="d2"/>!</target></segment></unit>`,
  );
  expect(planned(mine, BOOK, ENTRIES).items.map(row)).toEqual([
    { id: 'a.text', change: 'changed', before: 'Zahle {energy} sofort.', after: 'Zahl {energy} jetzt.' },
    { id: 'b.text', change: 'added', after: '<b>Halt</b>!' },
  ]);
});

test.each([
  ['of another rulebook', TEXT.replace('file id="r1"', 'file id="r2"'), /another rulebook “Rules & more”/],
  ['into another language', TEXT.replace('trgLang="de"', 'trgLang="fr"'), /into fr, not de/],
  [
    'from another language',
    TEXT.replace('srcLang="en-gb"', 'srcLang="fr"'),
    /from fr, and this rulebook is in en-gb/,
  ],
  ['of an older XLIFF', TEXT.replace(':2.0"', ':1.2"'), /XLIFF 2\.0 and 2\.1/],
  ['no XLIFF', '<svg xmlns="http://www.w3.org/2000/svg"/>', /begins with the element svg/],
  ['no XML', 'unit;source;target', /not well-formed XML/],
  ['cut off', TEXT.slice(0, TEXT.length - 40), /not well-formed XML/],
  ['empty', '', /not well-formed XML|empty/],
  [
    'with a document type',
    TEXT.replace('<xliff', '<!DOCTYPE xliff [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<xliff'),
    /document type/,
  ],
  ['with an entity', TEXT.replace('sofort', '&bomb;'), /not well-formed XML/],
  [
    'nested without end',
    TEXT.replace('sofort', `${'<mrk id="m">'.repeat(80)}x${'</mrk>'.repeat(80)}`),
    /60 deep/,
  ],
  ['of endless elements', TEXT.replace('sofort', '<em/>'.repeat(500_001)), /500000 elements/],
])('a file that is %s is refused', (_, text, message) => {
  expect(() => planned(text, BOOK, ENTRIES)).toThrow(message);
});

test('a file that is too large or no text is refused before it is read', () => {
  expect(() => decodeXliff(new Uint8Array(16 * 1024 * 1024 + 1))).toThrow(/more than 16 MB/);
  expect(() => decodeXliff(new Uint8Array([0x50, 0x4b, 0xff, 0x00]))).toThrow(/not text in UTF-8/);
  const wide = new Uint8Array([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array([...TEXT].map((one) => one.charCodeAt(0))).buffer),
  ]);
  expect(decodeXliff(wide)).toBe(TEXT);
});

test('what is no placeholder of a rulebook, half a translation and a text twice are refused by themselves', () => {
  const odd = TEXT.replace('disp="{energy}" dataRef="d1"/> sofort', 'dataRef="d9"/> sofort');
  expect(planned(odd, BOOK, ENTRIES).items.map(({ problem }) => problem)).toEqual([
    'The placeholder ph 1 does not say what it stands for.',
  ]);
  const foreign = TEXT.replace('<data id="d1">{energy}</data>', '<data id="d1">${energy</data>');
  expect(planned(foreign, BOOK, ENTRIES).items[0]?.problem).toBe(
    '“${energy” is not a placeholder of a rulebook, or stands where it cannot.',
  );
  const unit = /<unit id="c\.text"[\s\S]*?<\/unit>/.exec(TEXT)?.[0] ?? '';
  const half = unit.replace('</segment>', '</segment><segment><source>More.</source></segment>');
  expect(planned(TEXT.replace(unit, half), BOOK, ENTRIES).items[0]?.problem).toMatch(
    /Only some of its 2 segments/,
  );
  const twice = unit.replace('Ziehe', 'Zieh');
  expect(planned(TEXT.replace(unit, twice + twice), BOOK, ENTRIES).items.map(({ change }) => change)).toEqual(
    ['changed', 'refused'],
  );
});

test('texts without placeholders refuse them', () => {
  const book: Rulebook = {
    ...BOOK,
    blocks: [{ type: 'callout', id: 'x', kind: 'note', title: 'Beware {of} it', blocks: [] }],
  };
  expect(unitsOf(book).map(({ id }) => id)).toEqual(['.title', 'x.title']);
  const text = exported(book, new Map([['x.title', { source: 'Beware {of} it', text: 'Hüte {dich}' }]]));
  expect(planned(text, book, new Map()).items).toMatchObject([{ id: 'x.title', after: 'Hüte {dich}' }]);
  const coded = text.replace('Hüte {dich}', '<ph id="1" disp="{of}"/>');
  expect(planned(coded, book, new Map()).items[0]?.problem).toMatch(/has no placeholders/);
});
