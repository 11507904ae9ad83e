import { beforeEach, expect, test, vi } from 'vitest';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { newZone } from '../../../core/scene/zones.ts';
import type { LayoutImage } from '../../images/layout-images.ts';
import { copySharedLayout } from './copy-shared-layout.ts';

/** Requests to the server, and the layouts that were made. */
const world = vi.hoisted(() => ({
  asked: [] as { from: object; to: unknown; ids: readonly string[] }[],
  made: [] as { scene: { zones: readonly { source?: string }[] }; source: unknown }[],
  copies: {} as Record<string, string>,
}));
vi.mock('../../images/copies.ts', () => ({
  copyImages: async (from: object, to: unknown, ids: readonly string[]) => {
    if (ids.length > 0) world.asked.push({ from, to, ids });
    return new Map(Object.entries(world.copies).filter(([id]) => ids.includes(id)));
  },
}));
vi.mock('../project-contents.ts', () => ({
  copyLayout: async (scene: never, _project: unknown, source: unknown) => {
    world.made.push({ scene, source });
    return 'copy';
  },
}));
vi.mock('../open-project.ts', () => ({ openLibrary: () => ({ owner: 'ben' }) }));
vi.mock('../../images/library-store.ts', () => ({ readLibraries: vi.fn() }));
vi.mock('../../images/project-images.ts', () => ({ readImagesSeen: vi.fn(), readProjectImages: vi.fn() }));

beforeEach(() => {
  world.asked = [];
  world.made = [];
});

const zone = (id: string, source: string) => ({
  ...newZone('image', id, id, { x: 0, y: 0, w: 10, h: 10 }),
  source,
});
const image = (id: string, path: string): LayoutImage => ({
  ...{ id, path, former: [], url: `/v0/b/x/o/${id}`, bytes: 3, tags: [], licence: '', credit: '' },
});
const IMAGES = [image('fox', 'Beasts/fox.png'), image('owl', 'owl.png')];
const SCENE = {
  ...newLayout('Card'),
  zones: [zone('a', 'image:fox/old name.png'), zone('b', 'OWL'), zone('c', 'stock:star/star.png')],
};
const sources = () => world.made[0]?.scene.zones.map(({ source }) => source);

test('a copy of somebody’s layout names the copies of its images, whatever the layout called them', async () => {
  world.copies = { fox: 'my-fox', owl: 'my-owl' };
  const copied = await copySharedLayout(SCENE, IMAGES, 'ann', { project: 'p', id: 'l' });
  expect(copied).toEqual({ id: 'copy', gone: [] });
  const source = { project: 'p', layout: 'l' };
  expect(world.asked).toEqual([{ from: source, to: 'image', ids: ['fox', 'owl'] }]);
  expect(sources()).toEqual(['image:my-fox/Beasts/fox.png', 'image:my-owl/owl.png', 'stock:star/star.png']);
  expect(world.made[0]?.source).toEqual(source);
});

test('an image whose file is gone is told, and the layout goes on naming it', async () => {
  world.copies = { owl: 'my-owl' };
  const { gone } = await copySharedLayout(SCENE, IMAGES, 'ann', { id: 'l' });
  expect(gone).toEqual(['Beasts/fox.png']);
  expect(world.asked[0]?.from).toEqual({ owner: 'ann', layout: 'l' });
  expect(sources()).toEqual(['image:fox/old name.png', 'image:my-owl/owl.png', 'stock:star/star.png']);
});

test('of a shared layout of one’s own library no image is copied', async () => {
  world.copies = { fox: 'my-fox' };
  expect(await copySharedLayout(SCENE, IMAGES, 'ben', { id: 'l' })).toEqual({ id: 'copy', gone: [] });
  expect(world.asked).toEqual([]);
  expect(sources()).toEqual(SCENE.zones.map(({ source }) => source));
});
