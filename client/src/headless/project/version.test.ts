import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { encodeFields } from '../../core/testing/wire-value.ts';
import { loadProject } from './project.ts';
import { RemoteStore } from './store.ts';

const version = (number: number, name: string) => ({
  number,
  name,
  kind: name ? 'named' : 'automatic',
  at: 1,
});
const component = (name: string) => ({
  ...{ name, kind: 'cards', layoutId: 'l', columns: [{ key: 'name', name: 'Name', type: 'text' }], order: 1 },
});

/** A server with a project of two states: the second is that of the version `a`. */
const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  projects: {
    d: { name: 'Game', owner: 'eve' },
    'd~a': { name: 'Game as it was', frozenOf: 'd', members: {}, memberIds: [] },
    new: { name: 'New', owner: 'eve' },
  },
  'projects/d/gameVersions': {
    a: version(1, 'v0.7'),
    b: version(2, 'twice'),
    c: version(3, 'twice'),
    e: version(4, ''),
  },
  'projects/d/components': { c: component('Today') },
  'projects/d~a/components': { c: component('Then') },
  'projects/d~a/components/c/cards': { k: { order: 1, copies: 1, cells: { name: 'Old' } } },
  'projects/d~a/layouts': { l: { name: 'L', version: 1, scene: newLayout('L') } },
};

const asked: unknown[] = [];
const server = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const { pathname } = new URL(String(input));
  if (pathname.endsWith('/init.json')) return Response.json({ projectId: 'p', apiKey: 'k' });
  if (pathname.includes('signInWithPassword')) return Response.json({ idToken: 't', localId: 'eve' });
  if (pathname === '/p/us-central1/openVersion') {
    const { data } = JSON.parse(String(init?.body)) as { data: { version: string } };
    asked.push(data);
    if (data.version === 'a') return Response.json({ result: { projectId: 'd~a', damaged: ['notes/main'] } });
    return Response.json({ error: { message: 'Too many are open.' } }, { status: 429 });
  }
  const path = decodeURIComponent(pathname).slice(pathname.indexOf('/documents/') + '/documents/'.length);
  const wire = (of: string, id: string, value: object) => ({
    name: `projects/p/databases/(default)/documents/${of}/${id}`,
    fields: encodeFields(value),
  });
  const [collection, id] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  const one = DOCUMENTS[collection]?.[id];
  if (one) return Response.json(wire(collection, id, one));
  if (path.split('/').length % 2 === 0) return Response.json({ error: { message: 'none' } }, { status: 404 });
  return Response.json({
    documents: Object.entries(DOCUMENTS[path] ?? {}).map(([name, value]) => wire(path, name, value)),
  });
};

const load = async (wanted: string, project = 'd') =>
  loadProject(await RemoteStore.signIn('http://x', { email: 'e', password: 'p' }, server), {
    ...{ project, version: wanted },
  });

test('a version is found by its name, its number or its id, and read instead of today', async () => {
  for (const wanted of ['v0.7', ' v0.7 ', '#1', 'a']) {
    const project = await load(wanted);
    expect(project.parts.map(({ part }) => part.cards.map(({ row }) => row.cells))).toEqual([
      [{ name: 'Old' }],
    ]);
    expect([project.id, project.home, project.name, project.version]).toEqual([
      ...['d~a', 'd', 'Game as it was', 'v0.7'],
    ]);
    expect(project.unreadable).toEqual(['notes/main is damaged in this version']);
  }
  expect(asked.at(-1)).toEqual({ projectId: 'd', version: 'a' });
});

test('the project as it is has no version', async () => {
  const store = await RemoteStore.signIn('http://x', { email: 'e', password: 'p' }, server);
  const project = await loadProject(store, { project: 'd' });
  expect([project.id, project.home, project.version]).toEqual(['d', 'd', undefined]);
});

test('a name that is not there, or that two have, is said with the names and numbers there are', async () => {
  await expect(load('v9')).rejects.toThrow(
    '“Game” has no version “v9”. There is: “#4”, “twice”, “twice”, “v0.7”.',
  );
  await expect(load('twice')).rejects.toThrow(
    '2 versions of “Game” are called “twice”: give the number instead (#3, #2).',
  );
  await expect(load('v1', 'new')).rejects.toThrow('“New” has no versions yet: freeze one first.');
  await expect(load('#2')).rejects.toThrow('The server answered 429: Too many are open.');
});
