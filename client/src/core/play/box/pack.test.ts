import { expect, test } from 'vitest';
import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { presetSize } from '../../scene/sizes.ts';
import { type LeafZone, newZone } from '../../scene/zones.ts';
import { MAX_PIECES } from '../protocol/limits.ts';
import { readBack, readCommon, readFace } from '../protocol/looks.ts';
import { rowRead } from './cells-read.ts';
import { PackError, type PackPart, packBox } from './pack.ts';
import { checkPieces, suggestedSetUp } from './set-up.ts';

const COLUMNS = [
  { key: 'name', name: 'Name' },
  { key: 'text', name: 'Text' },
  { key: 'level', name: 'Level' },
  { key: 'notes', name: 'Notes' },
  { key: 'style', name: 'Title style' },
];
const BOX = { x: 5, y: 5, w: 40, h: 10 };
const poker = presetSize('poker');
if (!poker) throw new Error('the preset is gone');

const textZone = (name: string, change: Partial<Extract<LeafZone, { kind: 'text' }>>) => ({
  ...newZone('text', `zone-${name}`, name, BOX),
  ...change,
});
const layoutOf = (name: string, ...zones: Layout['zones']): Layout => ({ ...newLayout(name, poker), zones });
const byColumn = (column: string) => ({ text: { mode: 'column' as const, column } });

const FRONT = layoutOf(
  'Front',
  textZone('Title', { bindings: byColumn('name') }),
  textZone('Body', { text: 'Costs {Text}' }),
);
const BACK = layoutOf('Back', textZone('Tier', { text: '{{ Level > 1 ? "II" : "I" }}' }));
const cells = (name: string, level = '1', more = {}) => ({
  name,
  text: `${name} text`,
  level,
  notes: `secret ${name}`,
  ...more,
});
const part = (change: Partial<PackPart['part']> = {}, kind = 'cards', component = 'c1'): PackPart => ({
  component,
  name: `Component ${component}`,
  kind,
  ids: (change.cards ?? [0, 1, 2, 3]).map((_, at) => `${component}-${at}`),
  part: {
    name: component,
    layout: FRONT,
    back: BACK,
    columns: COLUMNS,
    cards: [
      { row: { cells: cells('Fox') }, copies: 2 },
      { row: { cells: cells('Owl', '2') }, copies: 1 },
      { row: { cells: cells('Cut') }, copies: 0 },
      { row: { cells: cells('Elk', '1') }, copies: 3 },
    ],
    ...change,
  },
});
const noPictures = () => [];

test('a row is read as far as its layout draws it', () => {
  const row = { cells: cells('Fox', '3', { style: '{color:#a00}' }), index: 4, count: 9 };
  expect(Object.keys(rowRead(FRONT, row, COLUMNS).cells).sort()).toEqual(['name', 'style', 'text']);
  expect(rowRead(BACK, row, COLUMNS)).toEqual({ cells: { level: '3' } });
  const placed = layoutOf('Placed', textZone('Place', { text: '{{ index }} of {{ count }}' }));
  expect(rowRead(placed, row, COLUMNS)).toEqual({ cells: {}, index: 4, count: 9 });
  const chosen = layoutOf('Chosen', textZone('Any', { text: '{{ Level = 3 ? Notes : Text }}' }));
  expect(Object.keys(rowRead(chosen, row, COLUMNS).cells).sort()).toEqual(['level', 'notes']);
});

test('faces hold what the front shows; backs what the back shows, and are the same where they look alike', () => {
  const { box, components } = packBox([part()], noPictures);
  expect(box.definitions.map(({ copies }) => copies)).toEqual([2, 1, 3]);
  expect(box.definitions.map(({ back }) => back)).toEqual([0, 1, 0]);
  expect(box.backs.map(({ kind, size, sides }) => ({ kind, size, sides }))).toEqual([
    { kind: 'card', size: [635, 889], sides: 0 },
    { kind: 'card', size: [635, 889], sides: 0 },
  ]);
  expect(JSON.stringify(box)).not.toContain('secret');
  for (const { look } of box.backs)
    for (const name of ['Fox', 'Owl', 'Elk']) expect(look).not.toContain(name);
  const common = readCommon(box.common);
  const face = readFace(box.definitions[1]?.face ?? '');
  expect(face.name).toBe('Owl');
  expect(common.layouts[face.sides[0]?.layout ?? -1]?.name).toBe('Front');
  expect(face.sides[0]?.cells).toEqual({ name: 'Owl', text: 'Owl text' });
  const back = readBack(box.backs[1]?.look ?? '');
  expect(common.layouts[back.drawn?.layout ?? -1]?.name).toBe('Back');
  expect(back.drawn?.cells).toEqual({ level: '2' });
  expect(components[0]).toMatchObject({ kind: 'card', pieces: 6, size: [635, 889] });
});

test('cards whose backs look alike cannot be told apart by them, in whatever order their cells are stored', () => {
  const back = layoutOf('Both', textZone('Both', { text: '{Level} {Text}' }));
  const row = (order: 1 | -1, name: string) => ({
    cells: Object.fromEntries(
      Object.entries({ ...cells(name), text: 'same' }).sort(([a], [b]) => (a < b ? order : -order)),
    ),
  });
  const cards = [
    { row: row(1, 'Fox'), copies: 1 },
    { row: row(-1, 'Owl'), copies: 1 },
  ];
  expect(packBox([part({ back, cards })], noPictures).box.backs).toHaveLength(1);
});

test('a zone that no card shows says nothing, on a face and on a back', () => {
  const hidden = textZone('Own', { bindings: byColumn('notes'), hidden: true });
  const [front, back] = [FRONT, BACK].map((one) => ({ ...one, zones: [...one.zones, hidden] }));
  if (!front || !back) throw new Error('the layouts are gone');
  const { box } = packBox([part({ layout: front, back })], noPictures);
  expect(JSON.stringify(box)).not.toContain('secret');
  expect(box.backs).toHaveLength(2);
});

test('parts of one component are one deck, whatever their layouts', () => {
  const other = { ...FRONT, name: 'Other' };
  const { box, components } = packBox([part(), part({ layout: other, back: null })], noPictures);
  expect(components).toHaveLength(1);
  expect(box.sets[0]).toEqual({ name: 'Component c1', component: 'c1', members: [0, 1, 2, 3, 4, 5] });
  expect(box.sets.filter(({ value }) => value === undefined)).toHaveLength(1);
  expect(new Set(box.definitions.map(({ back }) => back)).size).toBe(3);
});

test('cards with one value in a column that their faces show are a set; what no face shows names none', () => {
  const face = layoutOf(
    'Face',
    textZone('Title', { bindings: byColumn('name') }),
    textZone('Level', { text: '{Level}' }),
  );
  const row = (name: string, level: string) => ({
    row: { cells: cells(name, level, { notes: 'secret' }) },
    copies: 1,
  });
  const cards = [row('Fox', '1'), row('Owl', '2'), row('Elk', '1'), row('Cod', '2')];
  const { box } = packBox([part({ layout: face, cards })], noPictures);
  expect(box.sets).toEqual([
    { name: 'Component c1', component: 'c1', members: [0, 1, 2, 3] },
    { name: 'Component c1 where Level is 1', value: ['Level', '1'], component: 'c1', members: [0, 2] },
    { name: 'Component c1 where Level is 2', value: ['Level', '2'], component: 'c1', members: [1, 3] },
  ]);
  expect(JSON.stringify(box)).not.toContain('secret');
  // Names, of which each card has its own, sort nothing.
  expect(JSON.stringify(box.sets)).not.toContain('Fox');
});

test('six rows are a die, and other numbers of rows are one die together', () => {
  const faces = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ row: { cells: cells(`${at + 1}`) }, copies: 1 }));
  const two = packBox([part({ cards: faces(12) }, 'dice')], noPictures).box;
  expect(two.definitions).toHaveLength(2);
  expect(two.backs[0]).toMatchObject({ kind: 'die', sides: 6 });
  const four = packBox([part({ cards: faces(4) }, 'dice')], noPictures).box;
  expect(readFace(four.definitions[0]?.face ?? '').sides.map(({ name }) => name)).toEqual([
    '1',
    '2',
    '3',
    '4',
  ]);
  expect(four.backs[0]).toMatchObject({ sides: 4 });
});

test('what makes no table says why, and what to do', () => {
  expect(() => packBox([], noPictures)).toThrow(/add cards to a component, and choose a layout/);
  expect(() => packBox([part({}, 'documents')], noPictures)).toThrow(PackError);
  const many = part({ cards: [{ row: { cells: cells('Fox') }, copies: MAX_PIECES + 1 }] });
  expect(() => packBox([many], noPictures)).toThrow(/2001 of them Component c1; a table holds 2000/);
  const full = packBox(
    [part({ cards: [{ row: { cells: cells('Fox') }, copies: MAX_PIECES - 3 }] })],
    noPictures,
  );
  const setUp = suggestedSetUp(full.components);
  // A deck, a discard and a hand.
  expect(() => checkPieces(full.components, setUp, 1)).not.toThrow();
  expect(() => checkPieces(full.components, setUp, 2)).toThrow(/1997 pieces and 4 decks, hands and areas/);
});

test('what is more than a table holds is refused before its cards are worked out', () => {
  let looked = 0;
  const looking = () => {
    looked++;
    return [];
  };
  const card = { row: { cells: cells('Fox') }, copies: 1 };
  const many = (copies: number, count: number, name = 'Fox') =>
    Array.from({ length: count }, () => ({ row: { cells: cells(name) }, copies }));
  const pack = (...parts: PackPart[]) => packBox(parts, looking);
  expect(() => pack(part({ cards: many(1, 5_001) }))).toThrow(/5001 different pieces/);
  expect(() => pack(part({ cards: many(700, 2) }), part({ cards: many(700, 1) }))).toThrow(
    /2100 pieces, 2100 of them Component c1/,
  );
  expect(() =>
    pack(part({ cards: many(300, 6 * 8) }, 'dice'), part({ cards: [card] }, 'cards', 'c2')),
  ).toThrow(/2401 pieces, 2400 of them Component c1/);
  expect(looked).toBe(0);
  // Each of these faces has a megabyte.
  expect(() => pack(part({ cards: many(1, 500, 'x'.repeat(1 << 20)) }))).toThrow(/take more than 8 MB/);
  expect(looked).toBeLessThan(20);
});

test('a set-up has a deck and a discard for cards, areas for dice and tokens, boards in the middle, hands', () => {
  const { components } = packBox(
    [
      part({}, 'cards', 'a'),
      part({}, 'cards', 'b'),
      part({ back: null }, 'tokens', 't'),
      part({ back: null }, 'boards', 'board'),
    ].map((one) => ({ ...one, name: 'A name that is much longer than a deck may be called' })),
    noPictures,
  );
  const { steps } = suggestedSetUp(components);
  const made = steps.flatMap(({ place }) => {
    const { container } = (place ?? {}) as { container?: { kind: string; name: string } };
    return container ? [container] : [];
  });
  expect(made.map(({ kind }) => kind)).toEqual(['hand', 'stack', 'stack', 'stack', 'stack', 'zone']);
  const names = made.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect([...name].length).toBeLessThanOrEqual(30);
  expect(steps.filter(({ do: verb }) => verb === 'shuffle')).toHaveLength(2);
  // Every step that fills names a part made before it.
  for (const [index, { to }] of steps.entries()) {
    const { into } = (to ?? {}) as { into?: { name: string } };
    if (into) expect(JSON.stringify(steps.slice(0, index))).toContain(`"name":${JSON.stringify(into.name)}`);
  }
});
