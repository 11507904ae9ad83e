import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ImageLibrary, referenceTo } from '../../core/images/library.ts';
import { imagesOf } from './library-location.ts';
import type { StoredImage } from './library-store.ts';
import { lacking, renamings } from './project-images.ts';
import { imageSchema } from './schema.ts';
import { imagesSeen } from './seen.ts';

const stored = (id: string, path: string, more: Partial<StoredImage> = {}): StoredImage => ({
  ...imageSchema.parse({ path, file: `f/${id}`, url: `/v0/b/${id}`, createdAt: 0, updatedAt: 0 }),
  id,
  shelf: 'image',
  place: 'image',
  ...more,
});
const PLACE = imagesOf({ id: 'p' });
const PATHS = ['fox.png', 'owl.png', 'Deep/fox.png', 'Deep/owl.png'];

/** Images of one place: no two have one path. */
const library = fc
  .tuple(fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e']), fc.shuffledSubarray(PATHS))
  .map(([ids, paths]) => ids.slice(0, paths.length).map((id, i) => ({ id, path: paths[i] ?? '' })));
/** Paths and references, as cells have them. */
const sources = fc.array(
  fc.oneof(
    fc.constantFrom(...PATHS),
    fc.constantFrom('a', 'b', 'c', 'd', 'e').map((id) => `image:${id}/gone.png`),
  ),
  { maxLength: 6 },
);

/** Copies as the server makes them: they keep their ids, and their names where those are free. */
function copied(originals: readonly StoredImage[], own: readonly StoredImage[]) {
  const known = [...own];
  const ids = new Map<string, string>();
  for (const image of originals) {
    const from = `users/ann/library/images/items/${image.id}`;
    const before = known.find((one) => one.from?.path === from);
    if (before) {
      ids.set(image.id, before.id);
      continue;
    }
    const id = known.some((one) => one.id === image.id) ? `${image.id}2` : image.id;
    const taken = known.some(({ path }) => path === image.path);
    known.push({
      ...image,
      id,
      path: taken ? `${image.path} (2)` : image.path,
      place: PLACE,
      from: { path: from, hash: '' },
    });
    ids.set(image.id, id);
  }
  return { own: known, ids };
}

test('a project that has adopted its images shows the same to somebody without the library', () => {
  fc.assert(
    fc.property(library, library, sources, (mine, others, named) => {
      const libraries = mine.map(({ id, path }) => stored(id, path));
      // Of other members, under other ids.
      const own = others.map(({ id, path }) => stored(`o${id}`, path, { place: PLACE }));
      const seen = new ImageLibrary(imagesSeen(own, libraries));
      const shown = named.flatMap((source) => seen.find(source) ?? []);
      const originals = lacking([...new Set(shown)], own, libraries);
      const after = copied(originals, own);
      const withoutLibrary = new ImageLibrary(imagesSeen(after.own, []));
      for (const source of named) {
        const before = seen.find(source);
        expect(withoutLibrary.find(source)?.url, source).toBe(before?.url);
      }
      // Nothing is adopted twice, and nothing that is not shown.
      const again = new ImageLibrary(imagesSeen(after.own, libraries));
      expect(
        lacking(
          named.flatMap((source) => again.find(source) ?? []),
          after.own,
          libraries,
        ),
      ).toEqual([]);
      expect(after.own.length).toBe(own.length + originals.length);
    }),
  );
});

test('a copy answers to the name that its original has got since', () => {
  const before = stored('x', 'fox.png');
  const { own } = copied([before], []);
  const renamed = stored('x', 'vixen.png', { former: ['fox.png'] });
  const [change] = renamings([renamed], own, new Map([['x', 'x']]));
  expect(change).toEqual({ id: 'x', former: ['vixen.png'] });
  const after = own.map((image) => ({ ...image, former: [...(change?.former ?? [])] }));
  for (const source of ['vixen.png', 'fox.png', referenceTo(renamed)]) {
    expect(new ImageLibrary(imagesSeen(after, [])).find(source)?.id).toBe('x');
  }
  expect(renamings([renamed], after, new Map([['x', 'x']]))).toEqual([]);
  // A new copy has the names already.
  expect(renamings([renamed], [], new Map([['x', 'x']]))).toEqual([]);
});

test('in a project a name means its own image first; a copy takes the place of what it is of', () => {
  const mine = stored('m', 'fox.png');
  const theirs = stored('t', 'fox.png', { place: PLACE });
  expect(new ImageLibrary(imagesSeen([theirs], [mine])).find('fox.png')?.id).toBe('t');
  expect(new ImageLibrary(imagesSeen([theirs], [mine])).find('image:m/fox.png')?.id).toBe('m');
  const copy = stored('m', 'fox.png', { place: PLACE, url: '/v0/b/copy' });
  expect(new ImageLibrary(imagesSeen([copy], [mine])).find('image:m/fox.png')?.url).toBe('/v0/b/copy');
  expect(imagesSeen([copy], [mine])).toHaveLength(1);
  // The painters' library has both for a moment, in either order.
  const ranked = imagesSeen([copy], []);
  for (const images of [
    [mine, ...ranked],
    [...ranked, mine],
  ]) {
    expect(new ImageLibrary(images).find('image:m/fox.png')?.url).toBe('/v0/b/copy');
  }
});

test('an image whose address is not that of a stored file here is none', () => {
  vi.stubGlobal('location', { origin: 'https://cards.example' });
  const image = (url: string) =>
    imageSchema.safeParse({ path: 'fox.png', file: 'f', url, createdAt: 0, updatedAt: 0 });
  for (const url of ['/v0/b/x/o/y?alt=media', 'https://cards.example/v0/b/x']) {
    expect(image(url).success, url).toBe(true);
  }
  for (const url of [
    'https://tracker.example/v0/b/x',
    '//tracker.example/v0/b/x',
    '/metrics',
    'javascript:x',
    '',
  ]) {
    expect(image(url).success, url).toBe(false);
  }
  vi.unstubAllGlobals();
});
