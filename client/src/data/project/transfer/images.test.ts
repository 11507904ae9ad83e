import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProjectBundle } from '../../../core/archive/bundle.ts';
import { fromFiles, toFiles } from '../../../core/archive/format.ts';
import { unzip, zip } from '../../../core/archive/zip.ts';
import { ImageLibrary, referenceTo } from '../../../core/images/library.ts';
import { takeImages } from './images-in.ts';
import { withImages } from './images-out.ts';
import { MemoryLibrary, sha } from './memory-library.ts';

/** Packing is most of the work: see archive.test.ts for more of that. */
const RUNS = 40;

function project(cells: readonly string[], scene: object = {}): ProjectBundle {
  return {
    project: { name: 'Foxes', description: '', tags: [], coverColor: '#a8361c', cover: 'colour' },
    notes: '',
    layouts: [{ key: 'L', name: 'Card', scene: scene as ProjectBundle['layouts'][number]['scene'] }],
    components: [
      {
        id: 'c',
        fields: {
          name: 'Foxes',
          kind: 'cards',
          layoutId: 'L',
          columns: [
            { key: 'art', name: 'Art', type: 'image' },
            { key: 'text', name: 'Text', type: 'text' },
          ],
        },
        cards: cells.map((cell, i) => ({
          id: `k${i}`,
          copies: 1,
          cells: { art: cell, text: cell ? `Gain {${cell}, 0.9} twice` : '' },
        })),
      },
    ],
    comments: [],
    presets: [],
    runs: [],
    rulebooks: [],
    images: [],
  };
}

const out = async (bundle: ProjectBundle, held: MemoryLibrary) =>
  zip(toFiles(await withImages({ ...bundle, images: [] }, held.source)));
const take = async (archive: Uint8Array<ArrayBuffer>, held: MemoryLibrary) =>
  (await takeImages(fromFiles(unzip(archive)), held.target)).bundle;

const content = fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Uint8Array.from([1, ...bytes]));
const share = fc.constantFrom(0, 0.25, 0.5);
const picture = fc.record({
  path: fc.stringMatching(/^[a-c]{1,2}(\/[a-cA-C]{1,2})?(\.png)?$/),
  content: fc.oneof(content, fc.constant(Uint8Array.of(1, 2))),
  shelf: fc.constantFrom('image' as const, 'image' as const, 'stock' as const),
  focus: fc.option(fc.record({ x: share, y: share }), { nil: undefined }),
  crop: fc.constantFrom(undefined, undefined, { x: 0, y: 0, w: 0.5, h: 1 }),
  credit: fc.constantFrom('', 'Me'),
  tags: fc.constantFrom([], ['night']),
  former: fc.constantFrom([], ['old.png']),
});
type Picture = typeof picture extends fc.Arbitrary<infer T> ? T : never;
const pictures = fc.uniqueArray(picture, {
  maxLength: 7,
  selector: ({ shelf, path }) => `${shelf} ${path.toLowerCase()}`,
});
/** Forms in which cells name images: by reference, by a reference from before a rename, or as people type. */
const ways = fc.array(fc.record({ which: fc.nat(), how: fc.constantFrom('id', 'old', 'path', 'former') }), {
  minLength: 1,
  maxLength: 6,
});

/** A picture for everybody and one's own whose paths differ by case alone, named by their paths. */
const CASES = { focus: undefined, crop: undefined, credit: '', tags: [], former: [] } as const;
const alike: Picture[] = [
  { ...CASES, path: 'ab/cA.png', content: Uint8Array.of(1, 2), shelf: 'stock' },
  { ...CASES, path: 'ab/CA.png', content: Uint8Array.of(1, 0), shelf: 'image' },
];
const byPath = [
  { which: 0, how: 'path' },
  { which: 1, how: 'path' },
  { which: 0, how: 'id' },
  { which: 1, how: 'id' },
] as const;

const memoryLibrary = (owner: string, all: readonly Picture[]): MemoryLibrary => {
  const held = new MemoryLibrary(owner);
  for (const { content: bytes, ...image } of all) held.put(image, bytes);
  return held;
};
const cellsOf = (held: MemoryLibrary, named: readonly { which: number; how: string }[]): string[] => [
  'image:gone/zz.png',
  ...named.flatMap(({ which, how }) => {
    const image = held.images[which % Math.max(1, held.images.length)];
    if (!image) return [];
    if (how === 'id') return [referenceTo(image)];
    if (how === 'old') return [referenceTo({ ...image, path: 'was.png' })];
    return [how === 'path' ? image.path : (image.former[0] ?? '')];
  }),
];
/** Rendered content of a card: the image's bytes, crop and focus. */
const shown = (bundle: ProjectBundle, held: MemoryLibrary): unknown => {
  const library = new ImageLibrary(held.images);
  return bundle.components[0]?.cards.map(({ cells }) => {
    const image = library.find(cells.art ?? '');
    return image && [sha(held.files.get(image.url) ?? new Uint8Array()), image.crop, image.focus];
  });
};

test('a project goes out, into another library, and out again: byte for byte the same', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, ways, async (all, named) => {
      const ours = memoryLibrary('ours', all);
      const scene = { zones: [{ source: cellsOf(ours, named)[1] ?? '' }] };
      const first = await out(project(cellsOf(ours, named), scene), ours);
      // The other user is on the same server: the pictures for everybody are there, under ids of their own.
      const theirs = memoryLibrary(
        'theirs',
        all.filter(({ shelf }) => shelf === 'stock'),
      );
      const taken = await take(first, theirs);
      expect(await out(taken, theirs)).toEqual(first);
      const texts = [...unzip(first)].map(([path, bytes]) => path + new TextDecoder().decode(bytes));
      expect(texts.join('\n')).not.toMatch(/ours\d/);
      // The original owner imports it without sending anything.
      const count = ours.images.length;
      expect(await out(await take(first, ours), ours)).toEqual(first);
      expect([ours.sends, ours.images.length]).toEqual([0, count]);
    }),
    { numRuns: RUNS, examples: [[alike, [...byPath]]] },
  );
});

test('cards show the same pictures in a library that has others of these names already', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, pictures, ways, async (all, others, named) => {
      const ours = memoryLibrary('ours', all);
      const before = project(cellsOf(ours, named));
      const theirs = memoryLibrary('theirs', others);
      const held = theirs.images.map((image) => ({ ...image }));
      const taken = await take(await out(before, ours), theirs);
      expect(shown(taken, theirs)).toEqual(shown(before, ours));
      expect(theirs.images.slice(0, held.length)).toEqual(held);
      const paths = theirs.images.map(({ shelf, path }) => `${shelf} ${path.toLowerCase()}`);
      expect(new Set(paths).size).toBe(paths.length);
      // From now on it comes and goes without a change.
      const second = await out(taken, theirs);
      const count = theirs.images.length;
      expect(await out(await take(second, theirs), theirs)).toEqual(second);
      expect(theirs.images).toHaveLength(count);
    }),
    { numRuns: RUNS, examples: [[alike, [], [...byPath]]] },
  );
});

test('a picture that cannot be read or used is named, and nothing is left of the others', async () => {
  const ours = new MemoryLibrary('ours');
  const fox = ours.put({ path: 'Beasts/fox.png' }, Uint8Array.of(1, 2));
  const owl = ours.put({ path: 'Beasts/owl.png' }, Uint8Array.of(0));
  const both = project([referenceTo(fox), referenceTo(owl)]);
  const archive = await out(both, ours);
  const theirs = new MemoryLibrary('theirs');
  await expect(take(archive, theirs)).rejects.toThrow('images/Beasts/owl.png: This is no image.');
  expect([theirs.images.length, theirs.files.size]).toEqual([0, 0]);
  ours.files.delete(fox.url);
  await expect(out(both, ours)).rejects.toThrow(
    /“Beasts\/fox\.png” cannot be read: its file is gone\. Upload/,
  );
  const huge = { ...owl, bytes: 600 * 1024 * 1024 };
  ours.images.splice(1, 1, huge);
  await expect(out(both, ours)).rejects.toThrow(/601 MB; an archive holds 496 MB/);
});

test('what was converted when it was uploaded is known again by the bytes that are kept', async () => {
  const ours = new MemoryLibrary('ours');
  const fox = ours.put({ path: 'fox.png', hash: 'of the drawing' }, Uint8Array.of(1, 2));
  const archive = await out(project([referenceTo(fox)]), ours);
  const back = await take(archive, ours);
  expect(back.components[0]?.cards[0]?.cells.art).toBe(referenceTo(fox));
  expect(ours.sends).toBe(0);
});

test('a figure of a rulebook takes its picture along, and shows it in another library', async () => {
  const held = new MemoryLibrary('ann');
  const map = held.put({ path: 'Maps/isle.png', credit: 'Ann' }, Uint8Array.of(1, 4, 4));
  const figure = {
    ...{ type: 'figure', id: 'f1', source: referenceTo(map), alt: 'The isle', caption: [] },
    ...{ place: 'column', width: 1 },
  };
  const rulebook = {
    title: 'Rules',
    subtitle: '',
    language: 'en-gb',
    format: '',
    style: '',
    blocks: [figure],
  };
  const archive = await out({ ...project([]), rulebooks: [rulebook] }, held);
  expect([...unzip(archive).keys()]).toContain('images/Maps/isle.png');
  const other = new MemoryLibrary('ben');
  const [taken] = (await take(archive, other)).rulebooks;
  const { source } = (taken?.blocks[0] ?? { source: '' }) as { source: string };
  expect(source).not.toBe(referenceTo(map));
  expect(new ImageLibrary(other.images).find(source)).toMatchObject({ path: 'Maps/isle.png' });
  expect(other.images).toMatchObject([{ credit: 'Ann' }]);
});
