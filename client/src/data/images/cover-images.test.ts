import { expect, test, vi } from 'vitest';
import { ImageLibrary, type LibraryImage } from '../../core/images/library.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { newZone } from '../../core/scene/zones.ts';
import { namedAsInProject, showOnCover } from './cover-images.ts';
import { onSharedImages, setSharedImages, sharedImages } from './shared-images.ts';

const image = (id: string, path: string, rank?: number): LibraryImage => ({
  id,
  shelf: 'image',
  path,
  former: [],
  url: `/${id}`,
  ...(rank !== undefined && { rank }),
});
const COLUMNS = [
  { key: 'art', name: 'Art', type: 'image' as const },
  { key: 'text', name: 'Text', type: 'text' as const },
];

test('covers beside each other show each its own project’s picture of a name that all of them use', () => {
  const mine = image('mine', 'fox.png');
  const zone = newZone('image', 'z', 'Art', { x: 0, y: 0, w: 10, h: 10 });
  const scene = { ...newLayout('Card'), zones: [{ ...zone, source: 'fox.png' }] };
  const cells = { art: 'fox.png', text: 'Draw {fox.png, 0.9} and {nobody.png}' };
  // Both are copies of one image, which each project has changed in its own way.
  const covers = ['a', 'b'].map((project) =>
    namedAsInProject(project, scene, cells, COLUMNS, [
      mine,
      { ...image('x', 'fox.png', -1), url: `/${project}` },
    ]),
  );
  // Images available to painters: the user's library and those of the covers.
  const library = new ImageLibrary([mine, ...covers.flatMap(({ shared }) => shared)]);
  expect(
    covers.map(({ layout, cells: shown }) => [
      library.find(String((layout.zones[0] as { source?: unknown }).source))?.url,
      library.find(shown['art'] ?? '')?.url,
      shown['text'],
    ]),
  ).toEqual([
    ['/a', '/a', 'Draw {image:a-x/fox.png, 0.9} and {nobody.png}'],
    ['/b', '/b', 'Draw {image:b-x/fox.png, 0.9} and {nobody.png}'],
  ]);
  // In a project of the user's own, the name means the user's own picture.
  expect(library.find('fox.png')?.id).toBe('mine');
});

test('several owners share one image; what one withdraws the others still share', () => {
  const told = vi.fn();
  const stop = onSharedImages(told);
  setSharedImages('project p', [image('x', 'as in the project.png', -1)]);
  const end = showOnCover('p', [image('x', 'as on the cover.png', 2), image('y', 'y.png', 2)]);
  const endOther = showOnCover('q', [image('z', 'z.png', 2)]);
  expect(sharedImages().map(({ path }) => path)).toEqual(['as in the project.png', 'y.png', 'z.png']);
  setSharedImages('project p', []);
  expect(sharedImages().map(({ path }) => path)).toEqual(['as on the cover.png', 'y.png', 'z.png']);
  end();
  endOther();
  expect(sharedImages()).toEqual([]);
  expect(told).toHaveBeenCalledTimes(6);
  setSharedImages('nobody', []);
  expect(told).toHaveBeenCalledTimes(6);
  stop();
});
