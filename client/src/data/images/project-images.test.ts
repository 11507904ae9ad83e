import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ImageLibrary } from '../../core/images/library.ts';
import type { StoredImage } from './library-store.ts';
import { asSharedImage, type ProjectImage, projectImageSchema, shareChanges } from './project-images.ts';

const image = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  path: fc.constantFrom('fox.png', 'owl.png'),
  url: fc.constantFrom('/v0/b/1', '/v0/b/2'),
  crop: fc.constantFrom(undefined, { x: 0, y: 0, w: 0.5, h: 1 }),
});
const full = (one: { id: string; path: string; url: string }): StoredImage => ({
  shelf: 'image',
  former: [],
  file: 'f',
  hash: 'h',
  bytes: 1,
  type: 'image/png',
  w: 1,
  h: 1,
  tags: [],
  licence: '',
  credit: '',
  createdAt: 0,
  updatedAt: 0,
  ...one,
});
const images = fc.uniqueArray(image, { selector: ({ id }) => id, maxLength: 5 });

test('shared images follow those in use; images of others stay', () => {
  fc.assert(
    fc.property(
      images,
      images,
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      (used, old, whose) => {
        const theirs = old
          .filter((one, i) => whose[i] && !used.some(({ id }) => id === one.id))
          .map(
            (one) =>
              ({ ...shareChanges([full(one)], [], 'ben').set[0], id: one.id }) as ProjectImage & {
                id: string;
              },
          );
        const mine = shareChanges(
          old.filter((one) => !theirs.some(({ id }) => id === one.id)).map(full),
          [],
          'ann',
        ).set;
        const shared = new Map([...theirs, ...mine].map((one) => [one.id, one]));
        const { set, remove } = shareChanges(used.map(full), [...shared.values()], 'ann');
        for (const one of set) shared.set(one.id, one);
        for (const id of remove) shared.delete(id);
        const now = [...shared.values()];
        expect(now.filter(({ by }) => by === 'ben')).toEqual(theirs);
        const shown = now
          .filter(({ by }) => by === 'ann')
          .map(({ id, path, url, crop }) => ({ id, path, url, crop }));
        const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
        expect(shown.sort(byId)).toEqual([...used].sort(byId));
        // Nothing is written twice, and nothing of the library beside what painting and credits need.
        expect(shareChanges(used.map(full), now, 'ann')).toEqual({ set: [], remove: [] });
        for (const one of now) expect(one).not.toHaveProperty('file');
      },
    ),
  );
});

test('a name means the picture of the project in somebody else’s, and one’s own in one’s own', () => {
  const [shared] = shareChanges([full({ id: 'x', path: 'fox.png', url: '/v0/b/x' })], [], 'ann').set;
  if (!shared) throw new Error('Nothing is shared.');
  const own = full({ id: 'mine', path: 'fox.png', url: '/v0/b/mine' });
  expect(new ImageLibrary([own, asSharedImage(shared, { mine: false })]).find('fox.png')?.id).toBe('x');
  expect(new ImageLibrary([own, asSharedImage(shared, { mine: true })]).find('fox.png')?.id).toBe('mine');
  expect(new ImageLibrary([own, asSharedImage(shared, { mine: true })]).find('image:x/fox.png')?.url).toBe(
    '/v0/b/x',
  );
});

test('a shared image whose address is not that of a stored file here is none', () => {
  vi.stubGlobal('location', { origin: 'https://cards.example' });
  const shared = (url: string) => projectImageSchema.safeParse({ path: 'fox.png', url, by: 'eve' });
  for (const url of ['/v0/b/x/o/y?alt=media', 'https://cards.example/v0/b/x']) {
    expect(shared(url).success, url).toBe(true);
  }
  for (const url of [
    'https://tracker.example/v0/b/x',
    '//tracker.example/v0/b/x',
    '/metrics',
    'javascript:x',
    '',
  ]) {
    expect(shared(url).success, url).toBe(false);
  }
  vi.unstubAllGlobals();
});
