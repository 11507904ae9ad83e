import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
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
