import { expect, test } from 'vitest';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone, type Zone } from '../../core/scene/zones.ts';
import { type Card, componentSchema, type TableColumn, type WithId } from '../documents/documents.ts';
import { OwnChanges } from './own-changes.ts';
import { type ProjectTexts, placesNaming } from './places.ts';
import { newlyNamed } from './project-images.ts';

const BOX = { x: 0, y: 0, w: 10, h: 10 };
const image = (id: string, more: object = {}): Zone =>
  ({ ...newZone('image', id, id, BOX), ...more }) as Zone;
const bound = (column: string) => ({ bindings: { source: { mode: 'column', column } } });
const formula = (text: string) => ({ bindings: { source: { mode: 'formula', formula: text } } });
const layout = (...zones: Zone[]): Layout => ({ ...newLayout('Card'), zones });
const card = (id: string, cells: Record<string, string>): WithId<Card> => ({
  id,
  order: 0,
  copies: 1,
  cells,
});
const COLUMNS: TableColumn[] = [
  { key: 'name', name: 'Name', type: 'text' },
  { key: 'art', name: 'Art', type: 'text' },
  { key: 'icon', name: 'Icon', type: 'image' },
  { key: 'made', name: 'Made', type: 'formula', formula: 'name & ".png"' },
];

function texts(front: Layout, cards: WithId<Card>[], columns = COLUMNS): ProjectTexts {
  const component = { name: 'Cards', kind: 'cards', layoutId: 'front', columns, order: 0, cardCount: 1 };
  return {
    components: [{ ...componentSchema.parse(component), id: 'c' }],
    cards: new Map([['c', cards]]),
    layouts: [{ id: 'front', name: 'Front', scene: front }],
  };
}

/** Sources by place: layouts, rulebooks and cards by their ids. */
async function sources(of: ProjectTexts): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for await (const place of placesNaming(of)) {
    const { id } = 'card' in place ? place.card : 'layout' in place ? place.layout : place.rulebook;
    found[id] = [...place.sources].sort();
  }
  return found;
}

const newly = async (of: ProjectTexts, note: (changes: OwnChanges) => void): Promise<string[]> => {
  const changes = new OwnChanges();
  note(changes);
  return [...(await newlyNamed(of, changes))].sort();
};

test('images are found in layouts, columns of images, bound and computed columns, and formulas of layouts', async () => {
  const front = layout(
    image('a', { source: 'frame.png' }),
    image('b', bound('Art')),
    image('d', bound('Made')),
    image('e', formula('if(Name == "fox", "den", "tree")')),
    image('g', { source: '[[ Name ]]-back.png' }),
    { ...newZone('container', 'h', 'h', BOX), children: [image('i', formula('Name & "-inside"'))] } as Zone,
  );
  const cards = [
    card('1', { name: 'fox', art: 'red fox', icon: 'paw' }),
    card('2', { name: 'owl', art: '' }),
  ];
  const found = await sources(texts(front, cards));
  expect(found.front).toContain('frame.png');
  expect(found['1']).toEqual(
    expect.arrayContaining(['red fox', 'paw', 'fox.png', 'den', 'fox-inside', 'frame.png']),
  );
  expect(found['2']).toEqual(expect.arrayContaining(['owl.png', 'tree', 'owl-inside']));
  // Texts that fill no image are no names.
  expect(found['1']).not.toContain('fox');
  expect(found['2']).not.toContain('den');
});

test('a card is looked at with the layouts of both its sides, and a damaged layout by what is written in it', async () => {
  const one = texts(layout(), [card('1', { name: 'fox', art: 'red fox' })]);
  const component = one.components[0];
  if (!component) throw new Error('There is no component.');
  const both: ProjectTexts = {
    ...one,
    components: [{ ...component, backLayoutId: 'back' }],
    layouts: [
      ...one.layouts,
      { id: 'back', name: 'Back', scene: layout(image('a', bound('Art'))) },
      { id: 'damaged', name: 'Damaged', scene: { zones: [{ source: 'lost.png' }] } },
    ],
  };
  const blocks = [{ type: 'figure', id: 'f', source: 'map.png', alt: '', caption: [], width: 1 }];
  const rulebooks = [{ id: 'rules', title: 'Rules', blocks }];
  const found = await sources({ ...both, rulebooks });
  expect(found.rules).toEqual(['map.png']);
  expect(found['1']).toContain('red fox');
  expect(found.damaged).toEqual(['lost.png']);
});

test('what somebody else named is not among what one’s own changes show', async () => {
  const front = layout(image('a', bound('Art')));
  const now = texts(front, [
    card('mine', { name: 'a', art: 'fox' }),
    card('theirs', { name: 'b', art: 'secret' }),
    card('both', { name: 'c', art: 'secret', icon: 'owl' }),
    card('new', { name: 'd', art: 'elk' }),
  ]);
  const found = await newly(now, (changes) => {
    changes.card('c', 'mine', { art: '' });
    changes.card('c', 'both', { icon: '' });
    changes.card('c', 'new', null);
  });
  expect(found).toEqual(['d.png', 'elk', 'fox', 'owl']);
  expect(await newly(now, () => undefined)).toEqual([]);
  // The same name, typed by oneself as well.
  expect(await newly(now, (changes) => changes.card('c', 'both', { art: '' }))).toEqual(['secret']);
});

test('a column, a layout and a choice of layouts that one changed show what they did not show before', async () => {
  const front = layout(image('a', bound('Art')));
  const now = texts(front, [card('1', { name: 'fox', art: 'red fox', icon: 'paw' })]);
  expect(await newly(now, (changes) => changes.component('c', { layoutId: null }))).toEqual(['red fox']);
  expect(await newly(now, (changes) => changes.layout('front', layout(image('a'))))).toEqual(['red fox']);
  expect(await newly(now, (changes) => changes.layout('front', null))).toEqual(['red fox']);
  const text = COLUMNS.map((column) =>
    column.key === 'icon' ? { ...column, type: 'text' as const } : column,
  );
  expect(await newly(now, (changes) => changes.component('c', { columns: text }))).toEqual(['paw']);
  expect(await newly(now, (changes) => changes.component('c', null))).toEqual(['fox.png', 'paw', 'red fox']);
});

test('of several changes of one place the first says what was there before', async () => {
  const now = texts(layout(image('a', bound('Art'))), [card('1', { art: 'owl' })]);
  const note = (changes: OwnChanges) => {
    changes.card('c', '1', { art: 'owl' });
    changes.card('c', '1', { art: 'fox' });
  };
  expect(await newly(now, note)).toEqual([]);
  // Changes that could not be looked at come before those since.
  const failed = new OwnChanges();
  failed.card('c', '1', { art: 'fox' });
  const since = new OwnChanges();
  since.card('c', '1', { art: 'elk' });
  since.after(failed.all());
  expect([...(await newlyNamed(now, since))]).toEqual(['owl']);
});
