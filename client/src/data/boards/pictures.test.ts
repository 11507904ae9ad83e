import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import { ImageLibrary, referenceTo } from '../../core/images/library.ts';
import { sourcesInScene } from '../../core/images/sources.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import {
  addPicture,
  asLibraryImage,
  deletePicture,
  listPictures,
  MAX_PICTURE_BYTES,
  onPictures,
  picturesOf,
  restorePicture,
  withImages,
} from './pictures.ts';

const MB = 1024 * 1024;
let made = 0;
const file = (bytes: number, hash = `hash ${++made}`) => ({
  blob: new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
  hash,
  w: 4,
  h: 3,
});

afterEach(async () => {
  for (const { id } of await listPictures()) await deletePicture(id);
});

test('pictures come back as they were kept, last kept first, and of two with one name one gets a number', async () => {
  const first = await addPicture('Art/sea.png', file(10), undefined, () => 1);
  const second = await addPicture('Art/Sea.png', file(20), undefined, () => 2);
  const kept = await listPictures();
  expect(kept.map(({ id, path }) => [id, path])).toEqual([
    [second.id, 'Art/Sea (2).png'],
    [first.id, 'Art/sea.png'],
  ]);
  expect(kept.map(({ blob }) => blob.size)).toEqual([20, 10]);
});

test('a file that is kept already takes no room twice', async () => {
  const first = await addPicture('a.png', file(10, 'same'));
  const again = await addPicture('b.png', file(10, 'same'));
  expect(again.id).toBe(first.id);
  expect(await listPictures()).toHaveLength(1);
});

test('beyond 20 MB a picture is refused in words, and what was there stays', async () => {
  await addPicture('large.png', file(15 * MB));
  await expect(addPicture('more.png', file(6 * MB))).rejects.toThrow(
    'Boards without an account have room for 20 MB of pictures: 15 MB are taken, and this one has 6 MB.',
  );
  await addPicture('fits.png', file(MAX_PICTURE_BYTES - 15 * MB));
  expect((await listPictures()).map(({ path }) => path).sort()).toEqual(['fits.png', 'large.png']);
});

test('two tabs that keep pictures at once do not pass the limit together', async () => {
  const both = await Promise.allSettled([
    addPicture('a.png', file(12 * MB)),
    addPicture('b.png', file(12 * MB)),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await listPictures()).toHaveLength(1);
});

test('a deleted picture is put back with the id that boards know, and every tab hears of it', async () => {
  const picture = await addPicture('fox.png', file(10));
  const heard = new Promise<void>((resolve) => {
    const stop = onPictures(() => {
      stop();
      resolve();
    });
  });
  await deletePicture(picture.id);
  await heard;
  await restorePicture(picture);
  expect((await listPictures()).map(({ id }) => id)).toEqual([picture.id]);
});

test('a board shows pictures in zones, terrains and texts, and names images of a project in their place', async () => {
  const [fox, sea] = [await addPicture('fox.png', file(10)), await addPicture('sea.png', file(11))];
  const unused = await addPicture('unused.png', file(12));
  const images = [fox, sea, unused].map(asLibraryImage);
  const source = (index: number) => referenceTo(images[index] as (typeof images)[number]);
  const box = { x: 0, y: 0, w: 50, h: 50 };
  const map = newZone('map', 'm', 'Map', box);
  for (const terrain of map.terrains.slice(0, 2)) terrain.source = source(1);
  const image = { ...newZone('image', 'i', 'Image', box), source: source(0) };
  const text = { ...newZone('text', 't', 'Text', box), text: 'Pay {fox.png}.' };
  const scene = { ...newLayout('Board'), zones: [map, image, text] };
  const kept = await listPictures();
  expect(picturesOf(scene, kept).map(({ id }) => id)).toEqual([sea.id, fox.id]);
  const carried = withImages(
    scene,
    kept,
    new Map([
      [fox.id, 'f1'],
      [sea.id, 's1'],
    ]),
  );
  expect(sourcesInScene(carried).sort()).toEqual(['image:f1/fox.png', 'image:s1/sea.png']);
  expect(picturesOf(carried, [unused])).toEqual([]);
  expect(new ImageLibrary(images).find(source(1))?.url).toMatch(/^blob:/);
});
