import { expect, test } from 'vitest';
import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { imagesOfScene } from './layout-images.ts';
import type { StoredImage } from './library-store.ts';
import { imageSchema } from './schema.ts';

const image = (id: string, path: string, shelf: 'image' | 'stock' = 'image'): StoredImage => ({
  ...imageSchema.parse({ path, file: `f/${id}`, url: `/v0/b/${id}`, hash: id, createdAt: 1, updatedAt: 1 }),
  id,
  shelf,
  place: shelf,
});

/** A layout that names images, wherever it does. */
const naming = (...sources: string[]): Layout =>
  ({ ...newLayout('Test'), extra: sources.map((source) => ({ source })) }) as Layout;

const library = [
  image('b', 'Art/sea.png'),
  image('a', 'fox.png'),
  image('s', 'Woods/oak.png', 'stock'),
  image('x', 'unused.png'),
];

test('a layout carries the pictures of its owner that it names, once each and by id', () => {
  const scene = naming('image:b/Art/sea.png', 'sea.png', 'FOX', 'nothing.png', 'https://example.org/fox.png');
  expect(imagesOfScene(scene, library).map(({ id, url }) => [id, url])).toEqual([
    ['a', '/v0/b/a'],
    ['b', '/v0/b/b'],
  ]);
});

test('what everybody sees anyway is not carried, nor what others need not know', () => {
  expect(imagesOfScene(naming('stock:s/Woods/oak.png'), library)).toEqual([]);
  const [fox] = imagesOfScene(naming('fox.png'), library);
  expect(fox).toMatchObject({ id: 'a', path: 'fox.png' });
  expect(Object.keys(fox ?? {})).not.toContain('file');
  expect(Object.keys(fox ?? {})).not.toContain('hash');
});
