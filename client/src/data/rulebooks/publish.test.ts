import { beforeEach, expect, test, vi } from 'vitest';
import type { Project } from '../project/open-project.ts';
import { unpublish } from './publish.ts';
import type { Published } from './shares.ts';

const world = vi.hoisted(() => ({
  share: undefined as unknown,
  deleted: [] as string[],
  updated: [] as string[],
  removed: [] as string[],
}));

vi.mock('@sdk/firestore', () => ({
  doc: (_db: unknown, ...path: string[]) => path.join('/'),
  writeBatch: () => ({
    delete: (path: string) => world.deleted.push(path),
    update: (path: string) => world.updated.push(path),
    commit: async () => undefined,
  }),
}));
vi.mock('../published.ts', () => ({
  removePublicFolder: async (folder: string) => void world.removed.push(folder),
}));
vi.mock('./read-edition.ts', () => ({ readShare: async () => world.share }));

const project = {
  id: 'p',
  db: {},
  rulebook: (id: string) => `projects/p/rulebooks/${id}`,
} as unknown as Project;

const share = (of: Partial<Published>, before?: string) => ({
  projectId: 'p',
  folder: 'projects/p/exports/eve/2',
  before: before === undefined ? null : { folder: before },
  ...of,
});

beforeEach(() => {
  Object.assign(world, { share: undefined, deleted: [], updated: [], removed: [] });
});

test('a closed link takes along the files of both editions', async () => {
  world.share = share({}, 'projects/p/exports/ann/1');
  await unpublish(project, 'r', 'link');
  expect(world.deleted).toEqual(['shares/link']);
  expect(world.updated).toEqual(['projects/p/rulebooks/r']);
  expect(world.removed).toEqual(['projects/p/exports/eve/2', 'projects/p/exports/ann/1']);
});

test.each([
  'projects/mine/images',
  'projects/mine/exports/ann/1',
  'users/ann/images',
  'projects/p/images',
  '',
])(
  'a folder that an editor put at a link, %s, is not emptied with the rights of whoever closes it',
  async (folder) => {
    world.share = share({ folder }, folder);
    await unpublish(project, 'r', 'link');
    expect(world.deleted).toEqual(['shares/link']);
    expect(world.removed).toEqual([]);
  },
);

test('the link of another project that a rulebook names stays', async () => {
  world.share = share({ projectId: 'mine', folder: 'projects/mine/exports/ann/1' });
  await unpublish(project, 'r', 'link');
  expect(world.deleted).toEqual([]);
  expect(world.updated).toEqual(['projects/p/rulebooks/r']);
  expect(world.removed).toEqual([]);
});
