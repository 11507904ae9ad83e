import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { keptFiles } from './kept-files.ts';
import type { UploadItem } from './upload-item.ts';

const item = (id: string): UploadItem => ({
  id,
  shelf: 'image',
  path: `${id}.png`,
  bytes: 1,
  sent: 0,
  state: 'waiting',
  ifTaken: 'keep-both',
  details: {},
});

const keep = (uid: string, ...ids: string[]) =>
  keptFiles.keep(
    uid,
    ids.map((id) => ({ item: item(id), blob: new Blob([id]) })),
  );

test('a person finds what their earlier page left, as it was noted last', async () => {
  await keep('ada', 'a', 'b', 'c');
  await keep('bob', 'd');
  keptFiles.note({ ...item('a'), state: 'working' });
  keptFiles.note({ ...item('a'), state: 'failed', message: 'No.' });
  keptFiles.drop(['b']);
  expect(await keptFiles.restore('ada')).toEqual([
    { ...item('a'), state: 'failed', message: 'No.' },
    item('c'),
  ]);
  expect(await keptFiles.restore('bob')).toEqual([item('d')]);
});

test('a note that comes after the end of a file brings nothing back, and hinders no later page', async () => {
  await keep('eve', 'e', 'f');
  keptFiles.drop(['e']);
  keptFiles.note({ ...item('e'), state: 'working' });
  expect(await keptFiles.restore('eve')).toEqual([item('f')]);
});

test('however many changes come while one is written, they are written together', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `g${i}`);
  await keep('gil', ...ids);
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction');
  for (const state of ['working', 'cancelled', 'waiting'] as const)
    for (const id of ids) keptFiles.note({ ...item(id), state });
  keptFiles.drop(ids.slice(1));
  expect(await keptFiles.restore('gil')).toEqual([item('g0')]);
  const writes = begun.mock.calls.filter(([, mode]) => mode === 'readwrite');
  begun.mockRestore();
  expect(writes).toHaveLength(2);
});

test('the content of a file outlives what is noted of it, and goes with it', async () => {
  await keep('hal', 'h');
  keptFiles.note({ ...item('h'), state: 'failed' });
  await keptFiles.restore('hal');
  vi.resetModules();
  const { keptFiles: nextPage } = await import('./kept-files.ts');
  expect(await (await nextPage.blob('h'))?.text()).toBe('h');
  nextPage.drop(['h']);
  expect(await nextPage.restore('hal')).toEqual([]);
  expect(await nextPage.blob('h')).toBeUndefined();
});
