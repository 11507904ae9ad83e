import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { cellId, renamedUnit, zoneId } from '../translation/cards/unit-ids.ts';
import { type LayoutEntry, type ProjectBundle, projectFactsSchema } from './bundle.ts';
import { ArchiveError } from './error.ts';
import { fromFiles, slug, toFiles } from './format.ts';
import { MAX_DEPTH } from './limits.ts';
import { textOf, unzip, zip } from './zip.ts';

const id = fc.stringMatching(/^[a-zA-Z0-9]{1,20}$/);
const text = fc.oneof(
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.stringMatching(/^[\r\n",;# a]{0,12}$/),
);
const cellKey = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);

const bundle: fc.Arbitrary<ProjectBundle> = fc
  .record({
    name: text.filter((one) => one !== ''),
    description: text,
    tags: fc.array(text, { maxLength: 3 }),
    notes: text,
    runs: fc.array(
      fc.record(
        {
          number: fc.integer({ min: 1, max: 99 }),
          at: fc.nat(),
          what: text,
          cards: fc.nat(),
          language: fc.constantFrom('de', 'pt-br'),
          marks: text,
        },
        { requiredKeys: ['number', 'at', 'what', 'cards', 'marks'] },
      ),
      { maxLength: 2 },
    ),
    books: fc.array(
      fc.record({ title: text.filter((one) => one !== ''), words: text.filter((one) => one !== '') }),
      {
        maxLength: 2,
      },
    ),
    layouts: fc.uniqueArray(
      fc.record({
        key: id,
        name: text,
        tags: fc.array(text, { maxLength: 2 }),
        width: fc.integer({ min: 1, max: 99 }),
        follows: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      }),
      { maxLength: 4, selector: ({ key }) => key },
    ),
    components: fc.uniqueArray(
      fc.record({
        id,
        name: text,
        keys: fc.uniqueArray(cellKey, { minLength: 1, maxLength: 4 }),
        orphan: fc.boolean(),
        cards: fc.uniqueArray(
          fc.record({
            id,
            copies: fc.integer({ min: 0, max: 999 }),
            status: fc.constantFrom(undefined, 'draft'),
            cells: fc.array(text, { minLength: 4, maxLength: 4 }),
          }),
          { maxLength: 5, selector: (card) => card.id },
        ),
      }),
      { maxLength: 3, selector: (component) => component.id },
    ),
  })
  .map(({ layouts, components, notes, runs, books, ...project }) => {
    const keys = layouts.map(({ key }) => key);
    return {
      project: {
        ...project,
        coverColor: '#a8361c',
        cover: 'colour',
        ...(notes.length % 3 === 0 && { language: 'fr' }),
      },
      notes,
      layouts: layouts.map(({ key, name, tags, width, follows }) => ({
        key,
        name,
        ...(tags.length > 0 && { tags }),
        scene: { size: { w: width } },
        ...(follows !== undefined &&
          keys[follows] !== undefined && { follows: { layout: keys[follows], scene: { size: { w: 1 } } } }),
      })),
      components: components.map((component, i) => ({
        id: component.id,
        fields: {
          name: component.name,
          kind: 'cards',
          layoutId: keys[i] ?? null,
          frontBy: { column: 'a', layouts: Object.fromEntries(keys.map((key) => [`is ${key}`, key])) },
          columns: component.keys.map((key) => ({ key, name: key })),
        },
        cards: component.cards.map((card) => ({
          id: card.id,
          copies: card.copies,
          ...(card.status && { status: card.status }),
          cells: Object.fromEntries([
            ...component.keys.map((key, place) => [key, card.cells[place] ?? '']),
            ...(component.orphan ? [['zz_gone', 'still here']] : []),
          ]),
        })),
      })),
      comments: [],
      presets: [],
      runs,
      rulebooks: books.map(({ title, words }) => ({
        title,
        subtitle: '',
        language: 'en-gb',
        format: 'a5',
        style: 'chronicle',
        ...(words.length % 2 === 0 && { noTerms: [{ words, at: 'a' }] }),
        ...(words.length % 3 === 0 && {
          translations: [
            { language: 'de', units: { 'a.text': { source: words, text: `${words} (de)` } } },
            { language: 'pt-br', units: {} },
          ],
        }),
        blocks: [{ type: 'paragraph', id: 'a', content: [{ type: 'text', text: words }] }],
      })),
      ...(notes.length % 2 === 0 && {
        languages: [
          {
            language: 'de',
            units: {
              [cellId('c', 'k/1', 'name')]: { source: 'Fox', text: 'Fuchs' },
              ...Object.fromEntries(
                keys.map((key) => [zoneId(key, 'z_1'), { source: key, text: `${key} (de)` }]),
              ),
            },
          },
          { language: 'pt-br', units: {} },
        ],
      }),
      images: [{ path: 'Icons/fox.png', bytes: new Uint8Array([1, 2, 3]), facts: { credit: 'Me' } }],
    };
  });

/** Layouts that follow one of the same bundle, each with the one that it follows. */
function followers({ layouts }: ProjectBundle): string[] {
  const facts = ({ name, tags, scene }: LayoutEntry) => [name, tags, scene];
  const known = new Map(layouts.map((layout) => [layout.key, facts(layout)]));
  return layouts
    .flatMap((layout) => {
      const { layout: key, scene } = layout.follows ?? {};
      return typeof key === 'string' ? [JSON.stringify([facts(layout), known.get(key), scene])] : [];
    })
    .sort();
}

/** Translations with the names of layouts in place of their keys, which are others in an archive. */
const spoken = ({ languages = [], layouts }: ProjectBundle) => {
  const names = new Map(layouts.map(({ key, name }) => [key, name]));
  return languages.map(({ language, units }) => [
    language,
    Object.entries(units)
      .map(([id, { text }]) => `${renamedUnit(id, (key) => names.get(key) ?? null)} ${text}`)
      .sort(),
  ]);
};

test('out, in and out again makes the same bytes, and nothing is lost', () => {
  fc.assert(
    fc.property(bundle, (one) => {
      const first = zip(toFiles(one));
      const read = fromFiles(unzip(first));
      expect(zip(toFiles(read))).toEqual(first);
      expect(read.project).toEqual(one.project);
      expect(read.notes).toBe(one.notes);
      expect(read.components.map(({ cards }) => cards)).toEqual(one.components.map(({ cards }) => cards));
      expect(read.images).toEqual(one.images);
      expect(read.runs).toEqual(one.runs);
      expect(read.rulebooks).toEqual(one.rulebooks);
      expect(spoken(read)).toEqual(spoken(one));
      const plain = ({ name, tags, scene }: LayoutEntry) => JSON.stringify([name, tags, scene]);
      expect(read.layouts.map(plain).sort()).toEqual(one.layouts.map(plain).sort());
      expect(followers(read)).toEqual(followers(one));
    }),
    { numRuns: 60 },
  );
});

const small: ProjectBundle = {
  project: { name: 'Foxes', description: '', tags: [], coverColor: '#a8361c', cover: 'colour' },
  notes: '# Idea\n',
  layouts: [
    { key: 'L9', name: 'Card', scene: { b: 1, a: 2 } },
    { key: 'L1', name: 'Card', scene: {} },
  ],
  components: [
    {
      id: 'c',
      fields: {
        name: 'Größe & Co',
        kind: 'cards',
        layoutId: 'L9',
        backLayoutId: 'L1',
        columns: [{ key: 'name' }],
      },
      cards: [
        { id: 'k1', copies: 2, cells: { name: 'Fox, "red"\nquick' } },
        { id: 'k2', copies: 1, cells: { name: '' } },
      ],
    },
  ],
  comments: [],
  presets: [],
  runs: [],
  rulebooks: [],
  images: [],
};

test('the files are plain: sorted keys, names of their own, a line a card', () => {
  const files = toFiles(small);
  expect([...files.keys()].sort()).toEqual([
    'components/01-grosse-co/cards.csv'.replace('grosse', 'große'),
    'components/01-grosse-co/component.json'.replace('grosse', 'große'),
    'layouts/card-2.json',
    'layouts/card.json',
    'notes.md',
    'project.json',
  ]);
  const read = (path: string) => new TextDecoder().decode(files.get(path));
  expect(read('layouts/card.json')).toBe(
    '{\n  "name": "Card",\n  "scene": {\n    "a": 2,\n    "b": 1\n  }\n}\n',
  );
  expect(read('components/01-große-co/cards.csv')).toBe(
    '#id,#copies,#status,name\nk1,2,,"Fox, ""red""\nquick"\nk2,1,,\n',
  );
  expect(read('components/01-große-co/component.json')).toContain('"layoutId": "card"');
  expect(slug('../../etc', 'x')).toBe('etc');
  expect(slug('…', 'x')).toBe('x');
});

test('a folder that was zipped by hand is read too', () => {
  const files = new Map([...toFiles(small)].map(([path, bytes]) => [`my game/${path}`, bytes]));
  expect(fromFiles(unzip(zip(files))).project.name).toBe('Foxes');
});

const fault = (files: Record<string, string>): string => {
  try {
    fromFiles(
      unzip(zipSync(Object.fromEntries(Object.entries(files).map(([path, one]) => [path, strToU8(one)])))),
    );
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveError);
    return (error as Error).message;
  }
  throw new Error('It was read.');
};
const project = '{"format": "tuckbox-project", "version": 1, "name": "X"}';
const component = '{"id": "c", "fields": {"columns": []}}';

test('what is wrong with an archive is named', () => {
  expect(fault({ 'readme.txt': 'hi' })).toMatch(/no project\.json/);
  expect(fault({ 'project.json': '{' })).toMatch(/project\.json is no JSON/);
  expect(fault({ 'project.json': '{"format": "other", "name": "X"}' })).toMatch(/project\.json: format/);
  expect(fault({ 'project.json': project.replace('1', '2') })).toMatch(/newer version/);
  const at = 'components/01-c/';
  expect(fault({ 'project.json': project, [`${at}cards.csv`]: '#id\n' })).toMatch(
    /no components\/01-c\/component\.json/,
  );
  const cards = (csv: string) =>
    fault({ 'project.json': project, [`${at}component.json`]: component, [`${at}cards.csv`]: csv });
  expect(cards('name\nx\n')).toMatch(/no column #id/);
  expect(cards('#id\na\na\n')).toMatch(/card 2: the id a is there twice/);
  expect(cards('#id\n../x\n')).toMatch(/cannot be an id/);
  expect(cards('#id,#copies\na,many\n')).toMatch(/copies must be/);
  expect(cards(`#id,#status\na,${'x'.repeat(101)}\n`)).toMatch(/card 1: its status has more than 100/);
  expect(cards('#id\na,b\n')).toMatch(/more cells/);
  expect(cards('#id\n"a\n')).toMatch(/line 2/);
});

test('a comment that the rules refuse is named', () => {
  const comment = { component: 'c', card: 'a', text: 'x'.repeat(4_001) };
  const files = { 'project.json': project, 'comments.json': JSON.stringify([comment]) };
  expect(fault(files)).toMatch(/^comments\.json: 0\.text/);
});

test('the colour of a box is no other CSS, which could load a picture', () => {
  for (const colour of ['url(https://evil.test/x.png)', 'red, url(//evil.test)', '#fff;x', 'var(--x)', 5]) {
    expect(projectFactsSchema.parse({ name: 'X', coverColor: colour }).coverColor, `${colour}`).toBe(
      '#a8361c',
    );
  }
  for (const colour of ['', '#2f5d62', '#FFF']) {
    expect(projectFactsSchema.parse({ name: 'X', coverColor: colour }).coverColor).toBe(colour);
  }
});

test('JSON that is nested too deeply is named, however deep it is', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const project = (depth: number) => () => {
    const files = toFiles(small);
    const facts = textOf(files.get('project.json') ?? new Uint8Array());
    // The document itself is the first level.
    files.set('project.json', strToU8(facts.replace('{', `{"zz":${nested(depth - 1)},`)));
    return fromFiles(files);
  };
  const card = (depth: number) => () => {
    const files = toFiles(small);
    const path = [...files.keys()].find((one) => one.endsWith('cards.csv')) ?? '';
    files.set(path, strToU8(`#id,#more\na,"{""a"":${nested(depth - 1)}}"\n`));
    return fromFiles(files);
  };
  for (const read of [project, card]) {
    expect(read(MAX_DEPTH)).not.toThrow();
    for (const depth of [MAX_DEPTH + 1, 5_000, 200_000]) {
      expect(read(depth), String(depth)).toThrow(ArchiveError);
      expect(read(depth), String(depth)).toThrow(/more than 100 lists or objects within one another/);
    }
  }
});

test('paths that lead elsewhere, bombs, twins and ruins are refused', () => {
  const packed = (files: Record<string, Uint8Array>) => () => unzip(zipSync(files));
  const empty = new Uint8Array();
  for (const path of [
    '../x',
    'a/../../x',
    '/etc/passwd',
    'C:x',
    'a\\b',
    './x',
    'a//b',
    'a\u0000b',
    'x'.repeat(500),
  ]) {
    expect(packed({ [path]: empty }), path).toThrow(ArchiveError);
  }
  expect(packed({ a: empty, A: empty })).toThrow(/twice/);
  expect(packed({ bomb: new Uint8Array(8_000_000) })).toThrow(/far more than it may/);
  expect(() => unzip(strToU8('no zip at all'))).toThrow(/no ZIP/);
  const good = zip(toFiles(small));
  expect(() => unzip(good.subarray(0, good.length - 30))).toThrow(/damaged/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), (noise, at) => {
      const ruined = good.slice();
      ruined.set(noise, at % Math.max(1, ruined.length - noise.length));
      try {
        fromFiles(unzip(ruined));
      } catch (error) {
        expect(error).toBeInstanceOf(ArchiveError);
      }
    }),
    { numRuns: 300 },
  );
});

test('an archive says nothing of layouts that are followed elsewhere', () => {
  const scene = { a: 1 };
  const follows = [
    { layout: 'L9', scene },
    { layout: 'gone', scene },
    { layout: 'L9', project: 'p', scene },
    { layout: 'L9', library: 'ann', scene },
    { layout: 7, scene },
    { layout: 'L9', scene: 'none' },
  ];
  const layouts = follows.map((one, i) => ({ key: `f${i}`, name: `Follower ${i}`, scene, follows: one }));
  const { layouts: read } = fromFiles(toFiles({ ...small, layouts: [...small.layouts, ...layouts] }));
  const found = read.filter((layout) => layout.follows);
  expect(found.map(({ name, follows: followed }) => [name, followed])).toEqual([
    ['Follower 0', { layout: 'card', scene }],
  ]);
});
