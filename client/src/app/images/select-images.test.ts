import { expect, test } from 'vitest';
import type { StoredImage } from '../../data/images/library-store.ts';
import { allFolders, allTags, foldersIn, selectImages } from './select-images.ts';

const image = (path: string, more: Partial<StoredImage> = {}): StoredImage => ({
  id: path,
  shelf: 'image',
  place: 'image',
  path,
  former: [],
  file: path,
  url: path,
  hash: path,
  bytes: path.length,
  type: 'image/png',
  w: 1,
  h: 1,
  tags: [],
  licence: '',
  credit: '',
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

const IMAGES = [
  image('b10.png', { createdAt: 3 }),
  image('b9.png', { createdAt: 5, tags: ['sea'] }),
  image('Art/Sea/wave.jpg', { type: 'image/jpeg', credit: 'Ann Sea', createdAt: 0 }),
  image('Art/tree.png', { tags: ['wood', 'sea'], createdAt: 2 }),
];
const paths = (filter: Partial<Parameters<typeof selectImages>[1]>) =>
  selectImages(IMAGES, { folder: '', text: '', tag: '', sort: 'name', ...filter }).map(({ path }) => path);

test('a folder shows its own images, a search those below it too', () => {
  expect(paths({})).toEqual(['b9.png', 'b10.png']);
  expect(paths({ folder: 'Art' })).toEqual(['Art/tree.png']);
  expect(paths({ folder: 'Art', text: 'ann wave' })).toEqual(['Art/Sea/wave.jpg']);
  expect(paths({ tag: 'sea', sort: 'date' })).toEqual(['b9.png', 'Art/tree.png']);
  expect(paths({ folder: 'Art', text: 'b9' })).toEqual([]);
});

test('orders', () => {
  const all = (sort: string) => paths({ text: '.', sort });
  // Not dated yet is the newest.
  expect(all('date')).toEqual(['Art/Sea/wave.jpg', 'b9.png', 'b10.png', 'Art/tree.png']);
  expect(all('size')[0]).toBe('Art/Sea/wave.jpg');
  expect(all('type')[0]).toBe('Art/Sea/wave.jpg');
  expect(all('unknown')).toEqual(all('date'));
});

test('folders and tags', () => {
  expect(foldersIn(IMAGES, '')).toEqual([{ path: 'Art', count: 2 }]);
  expect(foldersIn(IMAGES, 'Art')).toEqual([{ path: 'Art/Sea', count: 1 }]);
  expect(allFolders(IMAGES)).toEqual(['Art', 'Art/Sea']);
  expect(allTags(IMAGES)).toEqual(['sea', 'wood']);
});
