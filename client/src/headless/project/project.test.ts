import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { encodeFields } from '../../core/testing/wire-value.ts';
import { loadProject } from './project.ts';
import { RemoteStore } from './store.ts';

const layout = (name: string) => ({ name, version: 1, scene: newLayout(name) });
const CARDS = [
  { order: 2, copies: 1, cells: { type: 'Spell', cost: '3' } },
  { order: 1, copies: 2, cells: { type: 'Beast', cost: '2' } },
  { order: 3, copies: 1, cells: { type: 'Spell', cost: '5' } },
];

/** A server that holds one project. */
const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  projects: { d: { name: 'Game', owner: 'eve', language: 'zh-hant' }, broken: { name: 5, owner: 'eve' } },
  'projects/d/components': {
    c: {
      name: 'Cards',
      kind: 'cards',
      layoutId: 'beast',
      frontBy: { column: 'type', layouts: { Spell: 'spell' } },
      columns: [
        { key: 'type', name: 'Type', type: 'text' },
        { key: 'cost', name: 'Cost', type: 'number' },
        { key: 'twice', name: 'Twice', type: 'formula', formula: 'cost * 2' },
      ],
      order: 1,
    },
    bare: { name: 'Bare', kind: 'cards', layoutId: 'gone', columns: [], order: 2 },
    damaged: { name: 'Damaged', kind: 'cards', layoutId: 'broken', columns: [], order: 3 },
    broken: { name: 5 },
  },
  'projects/d/components/c/cards': Object.fromEntries(CARDS.map((card, i) => [`card${i}`, card])),
  'projects/d/components/bare/cards': { x: { order: 1, copies: 1, cells: {} } },
  'projects/d/components/damaged/cards': { x: { order: 1, copies: 1, cells: {} } },
  'projects/d/layouts': {
    beast: layout('Beast'),
    spell: layout('Spell'),
    broken: { ...layout('Broken'), name: 5 },
    unused: { name: 5 },
  },
};

const server = async (input: string | URL | Request): Promise<Response> => {
  const { pathname } = new URL(String(input));
  if (pathname.endsWith('/init.json')) return Response.json({ projectId: 'p', apiKey: 'k' });
  if (pathname.includes('signInWithPassword')) return Response.json({ idToken: 't', localId: 'eve' });
  if (pathname.endsWith(':runQuery')) {
    return Response.json(
      Object.entries(DOCUMENTS['projects'] ?? {}).map(([id, value]) => ({
        document: {
          name: `projects/p/databases/(default)/documents/projects/${id}`,
          fields: encodeFields(value),
        },
      })),
    );
  }
  const path = pathname.slice(pathname.indexOf('/documents/') + '/documents/'.length);
  const wire = (of: string, id: string, value: object) => ({
    name: `projects/p/databases/(default)/documents/${of}/${id}`,
    fields: encodeFields(value),
  });
  const [collection, id] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  const one = DOCUMENTS[collection]?.[id];
  if (one) return Response.json(wire(collection, id, one));
  // Paths of an odd number of segments are collections; documents do not exist here.
  if (path.split('/').length % 2 === 0) return Response.json({ error: { message: 'none' } }, { status: 404 });
  return Response.json({
    documents: Object.entries(DOCUMENTS[path] ?? {}).map(([name, value]) => wire(path, name, value)),
  });
};

test('cards get the layout that their column asks for, and formula columns are worked out', async () => {
  const store = await RemoteStore.signIn('http://x', { email: 'e', password: 'p' }, server);
  const project = await loadProject(store, { project: 'Game' });
  expect(project.without).toEqual(['Bare', 'Damaged']);
  expect(
    project.parts.map(({ part }) => [
      part.name,
      part.layout.name,
      part.cards.map(({ row, copies }) => [row.cells['twice'], copies]),
    ]),
  ).toEqual([
    ['Cards, Beast', 'Beast', [['4', 2]]],
    [
      'Cards, Spell',
      'Spell',
      [
        ['6', 1],
        ['10', 1],
      ],
    ],
  ]);
});

test('cards in their own words are painted in the forms of the project’s language', async () => {
  const store = await RemoteStore.signIn('http://x', { email: 'e', password: 'p' }, server);
  const { parts, contents } = await loadProject(store, { project: 'Game' });
  const layouts = [...parts.map(({ part }) => part.layout), ...contents.layouts.map(({ scene }) => scene)];
  expect(layouts.length).toBeGreaterThan(3);
  expect(new Set(layouts.map(({ language }) => language))).toEqual(new Set(['zh-hant']));
});

test('a document that cannot be read is left out and said, whoever wrote it; the others are exported', async () => {
  const store = await RemoteStore.signIn('http://x', { email: 'e', password: 'p' }, server);
  for (const wanted of ['Game', 'd']) {
    const project = await loadProject(store, { project: wanted });
    expect(project.parts).toHaveLength(2);
    expect(project.unreadable.map((what) => what.replace(/: Invalid.*/, ''))).toEqual([
      'projects/d/components/broken cannot be read: name',
      'projects/d/layouts/broken cannot be read: name',
    ]);
  }
  await expect(loadProject(store, { project: 'broken' })).rejects.toThrow(
    'projects/broken cannot be read: name',
  );
});

test('for a rulebook every component and layout is read, and each once; the parts are those that were chosen', async () => {
  const asked: string[] = [];
  const store = await RemoteStore.signIn('http://x', { email: 'e', password: 'p' }, (input) => {
    asked.push(new URL(String(input)).pathname);
    return server(input as string);
  });
  const few = await loadProject(store, { project: 'd', component: 'c' });
  expect(few.contents.parts.map(({ component }) => component.id)).toEqual(['c']);
  expect(few.contents.layouts.map(({ id }) => id).sort()).toEqual(['beast', 'spell']);
  asked.length = 0;
  const all = await loadProject(store, { project: 'd', component: 'c' }, 'all');
  expect(all.parts).toEqual(few.parts);
  expect(all.without).toEqual([]);
  expect(all.contents.parts.map(({ component }) => component.id)).toEqual(['c', 'bare', 'damaged']);
  expect(all.contents.layouts.map(({ id }) => id)).toEqual(['beast', 'spell']);
  expect(all.unreadable.map((what) => what.replace(/ cannot be read.*/s, '')).sort()).toEqual([
    'projects/d/components/broken',
    'projects/d/layouts/broken',
    'projects/d/layouts/unused',
  ]);
  expect(asked.filter((path) => /layouts|components/.test(path)).length).toBeGreaterThan(3);
  expect(new Set(asked).size).toBe(asked.length);
});
