import { expect, test } from 'vitest';
import { PackError } from '../../core/play/box/pack.ts';
import { readCommon, readFace } from '../../core/play/protocol/looks.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { presetSize } from '../../core/scene/sizes.ts';
import { newZone } from '../../core/scene/zones.ts';
import { cellId } from '../../core/translation/cards/unit-ids.ts';
import { UnreadableDocument } from '../../data/documents/documents.ts';
import { partOf } from '../../data/translations/translation-parts.ts';
import { type PackRequest, ProjectDocuments, packDocuments, readRequest } from './packing.ts';

const poker = presetSize('poker');
if (!poker) throw new Error('the preset is gone');
const layout = {
  ...newLayout('Front', poker),
  zones: [
    {
      ...newZone('text', 'title', 'Title', { x: 5, y: 5, w: 40, h: 10 }),
      bindings: { text: { mode: 'column', column: 'name' } },
    },
  ],
};
const component = (change = {}) => ({
  name: 'Spells',
  kind: 'cards',
  order: 1,
  columns: [{ key: 'name', name: 'Name', type: 'text' }],
  layoutId: 'l',
  backLayoutId: null,
  ...change,
});
const card = (name: string, order: number, copies = 1) => ({ cells: { name }, order, copies });
const request = (documents: PackRequest['documents'], change: Partial<PackRequest> = {}): PackRequest => ({
  no: 1,
  project: 'p',
  components: ['c'],
  documents,
  ...change,
});
const ALL = {
  'components/c': component(),
  'components/other': component({ name: 'Other' }),
  'components/c/cards/b': card('Owl', 2),
  'components/c/cards/a': card('Fox', 1, 3),
  'components/other/cards/x': card('Hidden', 1),
  'layouts/l': { name: 'Front', version: 1, scene: layout, updatedAt: 1 },
};
const noGroups = () => async () => {
  throw new Error('no layout has groups');
};
const pack = (documents: ProjectDocuments, wanted: PackRequest) =>
  packDocuments(documents, wanted, noGroups as never).then(({ box }) => box);

test('documents are packed as a table has them, and again as they change', async () => {
  const documents = new ProjectDocuments();
  const first = request(ALL);
  documents.take(first);
  const box = await pack(documents, first);
  expect(box.definitions.map(({ source, copies }) => [source, copies])).toEqual([
    [{ component: 'c', cards: ['a'] }, 3],
    [{ component: 'c', cards: ['b'] }, 1],
  ]);
  expect(box.definitions.map(({ face }) => readFace(face).name)).toEqual(['Fox', 'Owl']);
  expect(box.sets).toEqual([{ name: 'Spells', members: [0, 1], component: 'c' }]);
  expect(readCommon(box.common).layouts).toHaveLength(1);
  const change = request({ 'components/c/cards/a': card('Vixen', 1), 'components/c/cards/b': null });
  documents.take(change);
  const later = await pack(documents, change);
  expect(later.definitions.map(({ face }) => readFace(face).name)).toEqual(['Vixen']);
  expect(later.common).toBe(box.common);
  documents.take(request({}, { forget: true }));
  await expect(pack(documents, change)).rejects.toBeInstanceOf(PackError);
});

test('languages are packed with the cards, and again as they change', async () => {
  const documents = new ProjectDocuments();
  const id = cellId('c', 'a', 'name');
  const words = (text: string) => ({ units: { [id]: { source: 'Fox', text } } });
  const parts = `languages/de/parts`;
  const first = request({
    ...ALL,
    'details/main': { language: 'fr' },
    'languages/de': { by: 'u', at: 1 },
    [`${parts}/${partOf(id)}`]: words('Fuchs'),
  });
  documents.take(first);
  const box = await pack(documents, first);
  expect(readCommon(box.common).languages).toEqual({ source: 'fr', spoken: { de: [{}] } });
  expect(box.definitions.map(({ face }) => readFace(face).spoken)).toEqual([
    { de: { name: 'Fuchs', sides: [{ name: 'Fuchs', words: { name: 'Fuchs' } }] } },
    undefined,
  ]);
  const change = request({ [`${parts}/${partOf(id)}`]: words('Füchsin') });
  documents.take(change);
  const later = await pack(documents, change);
  expect(readFace(later.definitions[0]?.face ?? '').spoken?.['de']?.name).toBe('Füchsin');
  const gone = request({ [`${parts}/${partOf(id)}`]: null, 'languages/de': null });
  documents.take(gone);
  const without = await pack(documents, gone);
  expect(readCommon(without.common).languages).toBeUndefined();
});

test('a formula that names a language has its words at the table, and no others', async () => {
  const documents = new ProjectDocuments();
  const id = cellId('c', 'a', 'name');
  const zones = layout.zones.map((zone) => ({ ...zone, bindings: {}, text: '{{ lang("de").name }}' }));
  const first = request({
    ...ALL,
    'layouts/l': { name: 'Front', version: 1, scene: { ...layout, zones }, updatedAt: 1 },
    'languages/de': { by: 'u', at: 1 },
    [`languages/de/parts/${partOf(id)}`]: { units: { [id]: { source: 'Fox', text: 'Fuchs' } } },
  });
  documents.take(first);
  const box = await pack(documents, first);
  expect(box.definitions.map(({ face }) => readFace(face).sides[0]?.languages)).toEqual([
    { en: {}, de: { name: 'Fuchs' } },
    { en: {}, de: {} },
  ]);
});

test('a card of another shape is named', async () => {
  const documents = new ProjectDocuments();
  const broken = request({ ...ALL, 'components/c/cards/a': { cells: {} } });
  documents.take(broken);
  await expect(pack(documents, broken)).rejects.toThrow(UnreadableDocument);
  await expect(pack(documents, broken)).rejects.toThrow('projects/p/components/c/cards/a');
});

test('times of a request are milliseconds, and cells stay texts', () => {
  const line = JSON.stringify(
    request({ 'images/i': { createdAt: { timestampMicros: 5_000 }, cells: { timestampMicros: '7' } } }),
  );
  expect(readRequest(line).documents['images/i']).toEqual({ createdAt: 5, cells: { timestampMicros: '7' } });
});
