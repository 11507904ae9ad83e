/** No file is left in storage by fonts that find no room on the list. */

import { beforeEach, expect, test, vi } from 'vitest';
import type { UserFont } from '../user-object/schema.ts';
import { entryOf, MAX_CUSTOM_FONTS } from './custom-fonts.ts';
import { addCustomFont } from './font-files.ts';

const info = {
  format: 'ttf',
  family: 'Old Map',
  weight: 400,
  italic: false,
  characters: 200,
  restricted: false,
  axes: [],
} as const;
const world = vi.hoisted(() => ({
  /** This tab's copy of the list, and the stored one. */
  shown: [] as UserFont[],
  stored: [] as UserFont[],
  online: true,
  files: new Map<string, number>(),
  uploads: 0,
}));

vi.mock('@sdk/storage', () => {
  interface Ref {
    readonly fullPath: string;
  }
  return {
    ref: (from: Partial<Ref>, path: string) => ({
      fullPath: from.fullPath ? `${from.fullPath}/${path}` : path,
    }),
    list: async ({ fullPath }: Ref) => ({
      items: [...world.files.keys()]
        .filter((path) => path.startsWith(`${fullPath}/`))
        .map((path) => ({ fullPath: path })),
    }),
    uploadBytes: async ({ fullPath }: Ref) => void world.files.set(fullPath, ++world.uploads),
    getDownloadURL: async ({ fullPath }: Ref) =>
      `https://here.example/o/${encodeURIComponent(fullPath)}?token=${world.files.get(fullPath)}`,
    deleteObject: async ({ fullPath }: Ref) => void world.files.delete(fullPath),
  };
});
vi.mock('../server/files.ts', () => ({ fileStore: () => ({}) }));
vi.mock('../account/session.ts', () => ({ sessionUser: () => ({ uid: 'ann' }) }));
vi.mock('../user-object/use-user-object.ts', () => ({
  userObjectStore: () => ({ snapshot: () => ({ ready: true, object: { userFonts: world.shown } }) }),
  saveUserObject: async (
    change: (object: { userFonts: UserFont[] }) => Partial<{ userFonts: UserFont[] }>,
  ) => {
    if (!world.online) return false;
    world.stored = change({ userFonts: world.stored }).userFonts ?? world.stored;
    world.shown = world.stored;
    return true;
  },
}));
vi.mock('../../core/text/fonts/font-file.ts', () => ({ readFontFile: async () => info }));

beforeEach(() => {
  Object.assign(world, { shown: [], stored: [], online: true, uploads: 0 });
  world.files.clear();
});

const file = (content: string) => new File([content], 'map.ttf');
const filled = () =>
  Array.from({ length: MAX_CUSTOM_FONTS }, (_, at) => entryOf({ ...info, family: `Font ${at}` }, `/${at}`));
const full = `There is room for ${MAX_CUSTOM_FONTS} fonts of your own. Remove one first.`;

test('one that is kept is stored, and the same file again keeps its address', async () => {
  await addCustomFont(file('a'));
  const [first] = world.stored;
  await addCustomFont(file('a'));
  expect(world.stored).toEqual([first]);
  expect([world.uploads, world.files.size]).toEqual([1, 1]);
});

test('one for which there is no room is not even sent', async () => {
  world.shown = world.stored = filled();
  await expect(addCustomFont(file('a'))).rejects.toThrow(full);
  expect(world.uploads).toBe(0);
  // In the place of an older one of its cut there is.
  world.shown = world.stored = [...filled().slice(1), entryOf(info, '/old')];
  await addCustomFont(file('a'));
  expect(world.files.size).toBe(1);
});

test('one whose room another tab took meanwhile leaves no file, unless it was there before', async () => {
  world.stored = filled();
  await expect(addCustomFont(file('a'))).rejects.toThrow(full);
  expect([world.uploads, world.files.size]).toEqual([1, 0]);

  Object.assign(world, { shown: [], stored: [] });
  await addCustomFont(file('a'));
  // Taken off the list, a layout still shows it.
  Object.assign(world, { shown: [], stored: filled() });
  await expect(addCustomFont(file('a'))).rejects.toThrow(full);
  expect(world.files.size).toBe(1);
});

test('one whose entry may or may not have been stored keeps its file', async () => {
  world.online = false;
  await expect(addCustomFont(file('a'))).rejects.toThrow('could not be put on your list');
  expect(world.files.size).toBe(1);
});
