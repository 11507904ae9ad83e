import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PrintPart } from '../../imposition/job/print-job.ts';
import { layout as laidOut } from '../../layout/card.ts';
import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { presetSize } from '../../scene/sizes.ts';
import { newZone, type ZoneOf } from '../../scene/zones.ts';
import { assetsFor } from '../../testing/fonts.ts';
import { type LanguageTexts, layoutInLanguage, rowInLanguage } from '../../translation/cards/in-language.ts';
import { cellId, zoneId } from '../../translation/cards/unit-ids.ts';
import { MAX_BOX_BYTES } from '../protocol/limits.ts';
import { readBack, readCommon, readFace } from '../protocol/looks.ts';
import { viewIn } from '../view/in-language.ts';
import { shownSide } from '../view/shown-side.ts';
import type { TableView } from '../view/view.ts';
import { type PackedBox, type PackPart, packBox } from './pack.ts';

const COLUMNS = ['name', 'text', 'notes'].map((key) => ({ key, name: key }));
const KEYS = ['name', 'text'];
const TAGS = ['ar', 'de', 'ja'];
const poker = presetSize('poker');
if (!poker) throw new Error('the preset is gone');

const zone = (id: string, y: number, fields: Partial<ZoneOf<'text'>>): ZoneOf<'text'> => ({
  ...newZone('text', id, id, { x: 5, y, w: 50, h: 10 }),
  ...fields,
});
const bound = (column: string) => ({ bindings: { text: { mode: 'column' as const, column } } });
const FRONT: Layout = {
  ...newLayout('Front', poker),
  zones: [
    zone('title', 5, { ...bound('name'), languages: { de: { x: 9 } } }),
    zone('body', 20, { text: 'Says {text}' }),
    zone('kept', 35, { text: '{{ upper(name) }}' }),
  ],
};
const BACK: Layout = { ...newLayout('Back', poker), zones: [zone('tier', 5, { text: 'Tier {text}' })] };
const LAYOUTS = { front: FRONT, back: BACK };

interface Told {
  readonly name: string;
  readonly text: string;
}
const card = (no: number) => `k${no}`;

/** Cards as a project has them, with their parts in all languages. */
function partOf(cards: readonly Told[], texts: LanguageTexts): PackPart {
  const part: PrintPart = {
    name: 'Spells',
    ...{ layout: LAYOUTS.front, back: LAYOUTS.back, columns: COLUMNS },
    cards: cards.map((cells, no) => ({ row: { cells: { ...cells, notes: `secret ${no}` } }, copies: 1 })),
  };
  const spoken = [...texts].map(([tag, own]): [string, PrintPart] => [
    tag,
    {
      ...part,
      language: tag,
      layout: layoutInLanguage('front', part.layout, own, tag),
      back: layoutInLanguage('back', BACK, own, tag),
      cards: part.cards.map((one, no) => ({
        ...one,
        row: rowInLanguage(one.row, { component: 'c', card: card(no), columns: KEYS }, own),
      })),
    },
  ]);
  const ids = cards.map((_, no) => card(no));
  return { component: 'c', name: 'Spells', kind: 'cards', part, ids, spoken: new Map(spoken) };
}
const pack = (part: PackPart) => packBox([part], () => [], 'en');

/** A look without what it says in other languages. */
const bare = (text: string) =>
  JSON.stringify({ ...JSON.parse(text), spoken: undefined, languages: undefined });
const bareBox = ({ box }: PackedBox) => ({
  definitions: box.definitions.map((one) => ({ ...one, face: bare(one.face) })),
  backs: box.backs.map((one) => ({ ...one, look: bare(one.look) })),
  sets: box.sets,
  common: bare(box.common),
});

/** A sign of translated names. */
const NAME = 'Name: ';
const anyWord = fc.constantFrom('', 'Fox', 'Owl', 'Ash and Ember', 'Sea');
const anyTold = fc.record({ name: anyWord, text: anyWord });
const anyTranslation = fc.constantFrom(undefined, 'Fuchs', '狐', 'ثعلب', 'Eule');
/** Cards, and for some of their texts and those of their layouts a translation. */
const anyProject = fc.array(anyTold, { minLength: 1, maxLength: 6 }).chain((cards) =>
  fc.tuple(
    fc.constant(cards),
    fc.tuple(
      ...TAGS.map((tag) =>
        fc
          .tuple(
            fc.array(anyTranslation, { minLength: cards.length * 2, maxLength: cards.length * 2 }),
            fc.boolean(),
          )
          .map(([words, own]): [string, ReadonlyMap<string, string>] => [
            tag,
            new Map([
              ...words.flatMap((word, at): [string, string][] => {
                const [no, key] = [at >> 1, KEYS[at & 1] ?? ''];
                const source = cards[no]?.[key as keyof Told];
                return word && source
                  ? [[cellId('c', card(no), key), key === 'name' ? `${NAME}${word}` : word]]
                  : [];
              }),
              ...(own ? [[zoneId('front', 'body'), `${tag}: {text}`] as [string, string]] : []),
            ]),
          ]),
      ),
    ),
  ),
);

const at = { surface: 0, x: 0, y: 0, z: 0 };
/** A table on which all cards of a box lie open, and one that sees their backs alone. */
function tableOf({ box }: PackedBox, open: boolean): TableView {
  return {
    pieces: new Map(
      box.definitions.map(({ back }, no) => [
        `p${no}`,
        open
          ? { ...at, kind: 'card', face: no, back, facing: 'up' }
          : { ...at, kind: 'card', back, facing: 'down' },
      ]),
    ),
    faces: new Map(open ? box.definitions.map(({ face }, no) => [no, readFace(face)]) : []),
    backs: new Map(box.backs.map(({ look }, no) => [no, readBack(look)])),
    common: readCommon(box.common),
    log: [],
  } as unknown as TableView;
}

test('a box says the same in its own words with languages and without, and hides the same', () => {
  fc.assert(
    fc.property(anyProject, ([cards, languages]) => {
      const part = partOf(cards, new Map(languages));
      const { spoken: _spoken, ...own } = part;
      const [spoken, plain] = [pack(part), pack(own)];
      expect(bareBox(spoken)).toEqual(bareBox(plain));
      expect(JSON.stringify(plain.box)).not.toContain('spoken');
      expect(JSON.stringify(spoken.box)).not.toContain('secret');
      expect(spoken.without).toEqual([]);
      // Backs show no names: neither they nor the common text say one in any language.
      expect(JSON.stringify([spoken.box.backs, spoken.box.common])).not.toContain(NAME);
    }),
    { numRuns: 60 },
  );
});

test('backs that look alike in the source look alike in every language', () => {
  fc.assert(
    fc.property(anyProject, fc.constantFrom(...TAGS), ([cards, languages], tag) => {
      const view = viewIn(tableOf(pack(partOf(cards, new Map(languages))), false), tag);
      const sides = [...view.pieces.values()].map((shown) => JSON.stringify(shownSide(view, shown)));
      for (const [a, one] of cards.entries())
        for (const [b, other] of cards.entries())
          if (one.text === other.text) expect(sides[a]).toBe(sides[b]);
    }),
    { numRuns: 60 },
  );
});

test('a card at a table is that of a print in every language, and untranslated texts show the source', async () => {
  const cards = [
    { name: 'Fox', text: 'Ash' },
    { name: 'Owl', text: 'Sea' },
  ];
  const german = new Map([
    [cellId('c', card(0), 'name'), 'Fuchs'],
    [cellId('c', card(0), 'text'), 'Asche'],
    [zoneId('front', 'body'), 'Sagt {text}'],
  ]);
  const part = partOf(
    cards,
    new Map([
      ['de', german],
      ['ar', new Map([[cellId('c', card(1), 'name'), 'بومة']])],
    ]),
  );
  const packed = pack(part);
  for (const tag of ['en', 'de', 'ar', 'fr']) {
    const print = part.spoken?.get(tag) ?? part.part;
    const view = viewIn(tableOf(packed, true), tag);
    expect([...view.faces.values()].map(({ name }) => name)).toEqual(
      { de: ['Fuchs', 'Owl'], ar: ['Fox', 'بومة'] }[tag] ?? ['Fox', 'Owl'],
    );
    for (const no of [0, 1]) {
      const { layout = -1, words, cells = {} } = view.faces.get(no)?.sides[0] ?? {};
      const [own, scene] = [print.cards[no]?.row ?? { cells: {} }, view.common.layouts[layout]];
      if (!scene) throw new Error('the box has no layout');
      const assets = {
        ...(await assetsFor(print.layout, [own], COLUMNS)),
        images: { size: () => undefined },
      };
      const painted = laidOut(scene, { cells, ...(words && { words }) }, assets);
      expect(painted.ops).toEqual(laidOut(print.layout, own, assets).ops);
    }
  }
});

test('languages for which a box has no room are left out and named; those with the most words stay', () => {
  const long = 'x'.repeat(3 << 20);
  const texts = (words: string) => new Map([[cellId('c', card(0), 'text'), words]]);
  const part = partOf(
    [{ name: 'Fox', text: 'Ash' }],
    new Map([
      ['de', texts(long)],
      ['fr', texts(`${long}${long}`)],
      ['ja', texts('狐'.repeat(3 << 20))],
      ['pl', texts('Lis')],
    ]),
  );
  const spoken = new Map([...(part.spoken ?? [])].map(([tag, one]) => [tag, { ...one, back: null }]));
  const { box, without } = pack({ ...part, part: { ...part.part, back: null }, spoken });
  expect(without).toEqual(['de', 'ja']);
  const { languages } = readCommon(box.common);
  expect(Object.keys(languages?.spoken ?? {})).toEqual(['fr', 'pl']);
  expect(languages?.without).toEqual(without);
  expect(new TextEncoder().encode(JSON.stringify(box)).length).toBeLessThan(MAX_BOX_BYTES * 1.01);
  expect(Object.keys(readFace(box.definitions[0]?.face ?? '').spoken ?? {})).toEqual(['fr', 'pl']);
});

test('cells of which a language alone shows a zone are on the face, and on no back', () => {
  const shownInGerman = (layout: Layout): Layout => ({
    ...layout,
    zones: [
      ...layout.zones,
      zone('more', 60, { ...bound('notes'), hidden: true, languages: { de: { hidden: false } } }),
    ],
  });
  const { part, spoken, ...rest } = partOf([{ name: 'Fox', text: 'Ash' }], new Map([['de', new Map()]]));
  const withMore = (one: PrintPart): PrintPart => ({
    ...one,
    layout: shownInGerman(part.layout),
    back: shownInGerman(BACK),
  });
  const own = withMore(part);
  const others = [...(spoken ?? [])].map(([tag, one]): [string, PrintPart] => {
    const [layout, back] = [own.layout, own.back ?? BACK].map((of) =>
      layoutInLanguage('', of, new Map(), tag),
    );
    return [tag, { ...one, layout: layout ?? one.layout, back: back ?? one.back }];
  });
  const { box } = pack({ ...rest, part: own, spoken: new Map(others) });
  expect(readFace(box.definitions[0]?.face ?? '').sides[0]?.cells).toEqual({
    name: 'Fox',
    notes: 'secret 0',
    text: 'Ash',
  });
  expect(readBack(box.backs[0]?.look ?? '').drawn?.cells).toEqual({ text: 'Ash' });
  expect(pack({ ...rest, part: own }).box.definitions[0]?.face).not.toContain('secret');
});
