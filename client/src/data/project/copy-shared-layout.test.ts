import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import type { LayoutImage } from '../images/layout-images.ts';
import { withLibraryImages } from './copy-shared-layout.ts';
import { MemoryLibrary } from './memory-library.ts';

const FOX = Uint8Array.of(1, 2, 3);
const OWL = Uint8Array.of(1, 7);
const zone = (id: string, source: string) => ({
  ...newZone('image', id, id, { x: 0, y: 0, w: 10, h: 10 }),
  source,
});
const sources = (layout: { readonly zones: readonly unknown[] }) =>
  layout.zones.map((one) => (one as { source: string }).source);

function owners(): { library: MemoryLibrary; scene: ReturnType<typeof newLayout>; carried: LayoutImage[] } {
  const library = new MemoryLibrary('ann');
  const fox = library.put({ path: 'Beasts/fox.png', credit: 'Ann Ames', licence: 'CC BY 4.0' }, FOX);
  const owl = library.put({ path: 'owl.png', focus: { x: 0.1, y: 0.2 } }, OWL);
  const scene = {
    ...newLayout('Card'),
    zones: [zone('a', `image:${fox.id}/old name.png`), zone('b', 'owl'), zone('c', 'stock:star/star.png')],
  };
  const carried = [fox, owl].map(({ id, path, former, url, bytes, tags, licence, credit, crop, focus }) => ({
    ...{ id, path, former: [...former], url, bytes, tags: [...tags], licence, credit, crop, focus },
  })) as LayoutImage[];
  return { library, scene, carried };
}

test('a copy of somebody’s layout has its pictures in one’s own library, with their credits', async () => {
  const { library, scene, carried } = owners();
  const mine = new MemoryLibrary('ben');
  const { scene: copy, gone } = await withLibraryImages(scene, carried, library.source.read, mine.target);
  expect(gone).toEqual([]);
  expect(mine.images).toMatchObject([
    { path: 'Beasts/fox.png', credit: 'Ann Ames', licence: 'CC BY 4.0' },
    { path: 'owl.png', focus: { x: 0.1, y: 0.2 } },
  ]);
  expect(mine.images.map(({ url }) => mine.files.get(url))).toEqual([FOX, OWL]);
  const [fox] = mine.images;
  expect(sources(copy)).toEqual([`image:${fox?.id}/Beasts/fox.png`, 'owl', 'stock:star/star.png']);
  // A second copy takes nothing again.
  const again = await withLibraryImages(scene, carried, library.source.read, mine.target);
  expect(sources(again.scene)).toEqual(sources(copy));
  expect(mine.images).toHaveLength(2);
});

test('a name that means another picture at home means the layout’s picture in the copy', async () => {
  const { library, scene, carried } = owners();
  const mine = new MemoryLibrary('ben');
  const own = mine.put({ path: 'owl.png' }, Uint8Array.of(1, 99));
  const { scene: copy } = await withLibraryImages(scene, carried, library.source.read, mine.target);
  const taken = mine.images.find(
    ({ id }) => id !== own.id && id.startsWith('ben') && id !== mine.images[1]?.id,
  );
  expect(sources(copy)[1]).toBe(`image:${taken?.id}/${taken?.path}`);
  expect(mine.files.get(taken?.url ?? '')).toEqual(OWL);
});

test('a picture whose file is gone is told, and the layout goes on naming it', async () => {
  const { library, scene, carried } = owners();
  library.files.delete(carried[0]?.url ?? '');
  const mine = new MemoryLibrary('ben');
  const { scene: copy, gone } = await withLibraryImages(scene, carried, library.source.read, mine.target);
  expect(gone).toEqual(['Beasts/fox.png']);
  expect(sources(copy)).toEqual([sources(scene)[0], 'owl', 'stock:star/star.png']);
  expect(mine.images).toHaveLength(1);
});

test('undoing a copy leaves nothing of it', async () => {
  const { library, scene, carried } = owners();
  const mine = new MemoryLibrary('ben');
  const { undo } = await withLibraryImages(scene, carried, library.source.read, mine.target);
  await undo();
  expect([mine.images.length, mine.files.size]).toEqual([0, 0]);
});
