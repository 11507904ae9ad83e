import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImageLibrary, type LibraryImage, readReference, referenceTo, shownName } from './library.ts';
import { cleanPath, cleanSegment, freePath, MAX_DEPTH, MAX_PATH_LENGTH } from './path.ts';
import { iconsIn, sourcesInCell, sourcesInScene } from './sources.ts';

const image = (id: string, path: string, more: Partial<LibraryImage> = {}): LibraryImage => ({
  id,
  shelf: 'image',
  path,
  former: [],
  url: `/files/${id}`,
  ...more,
});

describe('finding an image', () => {
  const library = new ImageLibrary([
    image('a', 'Monsters/dragon.png'),
    image('b', 'dragon.png'),
    image('c', 'Monsters/Old/Wyrm.webp', { former: ['wurm.webp'] }),
    image('d', 'Wyrm.webp', { shelf: 'stock' }),
  ]);

  test.each([
    ['image:a', 'a'],
    ['image:a/renamed since.png', 'a'],
    ['Monsters/dragon.png', 'a'],
    ['dragon.png', 'b'],
    ['  dragon.png ', 'b'],
    ['./dragon.png', 'b'],
    ['dragon', 'b'],
    ['MONSTERS/DRAGON.PNG', 'a'],
    ['Wyrm.webp', 'd'],
    ['Old/Wyrm.webp', undefined],
    ['wyrm', 'c'],
    ['wurm.webp', 'c'],
    ['stock:d/x', 'd'],
    ['image:gone/Monsters/dragon.png', 'a'],
    ['image:gone', undefined],
    ['/files/a', undefined],
    ['https://example.com/dragon.png', undefined],
    ['', undefined],
  ])('%s', (source, id) => {
    expect(library.find(source)?.id).toBe(id);
  });

  test('is called by its present path', () => {
    expect(shownName('image:a/old.png', library)).toBe('Monsters/dragon.png');
    expect(shownName('image:gone/old.png', library)).toBe('old.png');
    expect(shownName('image:gone', library)).toBe('A deleted image');
    expect(shownName('no such.png', library)).toBe('no such.png');
  });
});

test('a picked image is found again wherever it is moved to', () => {
  const path = fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,2}\.png$/);
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), fc.array(path), (paths, moves) => {
      const images = paths.map((own, i) => image(`i${i}`, own));
      const picked = images.map(referenceTo);
      const moved = images.map((one, i) => movedTo(one, moves[i] ?? one.path));
      const library = new ImageLibrary(moved);
      picked.forEach((source, i) => {
        expect(library.find(source)?.id).toBe(`i${i}`);
        expect(readReference(source)).toEqual({ shelf: 'image', id: `i${i}`, path: paths[i] });
      });
    }),
  );
});

/** An image under another path, as the library keeps it. */
const movedTo = (one: LibraryImage, path: string): LibraryImage =>
  path === one.path ? one : { ...one, path, former: [one.path, ...one.former.filter((old) => old !== path)] };

/** Every way in which a sheet may name an image that is or was at a path. */
const spellings = (path: string): string[] => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [path, name, name.replace(/\.png$/i, '')].flatMap((text) => [text, text.toUpperCase()]);
};

test('whatever a typed name meant, it means after a rename or a move of that image too', () => {
  // Few letters, so that names collide.
  const path = fc.stringMatching(/^([ab]\/){0,2}[abAB]{1,2}\.png$/);
  const step = fc.tuple(fc.nat(), path);
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { minLength: 1, maxLength: 8, selector: (one) => one.toLowerCase() }),
      fc.array(step, { maxLength: 8 }),
      (paths, steps) => {
        let images = paths.map((own, i) => image(`i${i}`, own));
        const texts = new Set(paths.flatMap(spellings));
        for (const [at, to] of steps) {
          const which = at % images.length;
          const others = images.filter((_, i) => i !== which);
          // As in the library, no two images share a path. A path that two images had in succession means the later
          // one.
          if (others.some((other) => other.path.toLowerCase() === to.toLowerCase())) continue;
          if (others.some((other) => other.former.includes(to))) continue;
          const before = new ImageLibrary(images);
          images = images.map((one, i) => (i === which ? movedTo(one, to) : one));
          const after = new ImageLibrary(images);
          for (const text of texts) {
            const [meant, means] = [before.find(text)?.id, after.find(text)?.id];
            if (meant === `i${which}`) expect(means, text).toBe(meant);
            // References to other images do not change, unless the moved image now has a closer path.
            else expect([meant, `i${which}`], text).toContain(means);
          }
          for (const text of spellings(to)) texts.add(text);
        }
      },
    ),
  );
});

test('an image in a folder is found by the name alone that it had before', () => {
  const library = new ImageLibrary([
    image('a', 'Art/crimson.png', { former: ['Art/red.png'] }),
    image('b', 'Zoo/Deep/dragon.png', { former: ['dragon.png'] }),
    image('c', 'Monsters/dragon.png'),
  ]);
  expect(library.find('red.png')?.id).toBe('a');
  expect(library.find('Red')?.id).toBe('a');
  expect(library.find('dragon.png')?.id).toBe('b');
  const replaced = new ImageLibrary([...library.images, image('d', 'Art/red.png')]);
  expect(replaced.find('red.png')?.id).toBe('d');
  expect(replaced.find('Art/red.png')?.id).toBe('d');
});

describe('paths', () => {
  test('are cleaned into what every system takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const path = cleanPath(text);
        expect(path.length).toBeLessThanOrEqual(MAX_PATH_LENGTH);
        expect(path.split('/').length).toBeLessThanOrEqual(MAX_DEPTH);
        expect(path).not.toMatch(/^\/|\/$|\/\/|(^|\/)\.\.?(\/|$)|[{},\\]/);
        expect(cleanPath(path)).toBe(path);
      }),
    );
    expect(cleanPath('../a//b\\c/ d .png')).toBe('a/b c/d .png');
    expect(cleanSegment('...')).toBe('');
  });

  test('that are taken get the first free number', () => {
    const taken = new Set(['a/x.png', 'a/x (2).png']);
    expect(freePath('a/x.png', (path) => taken.has(path))).toBe('a/x (3).png');
    expect(freePath('a/x (2).png', (path) => taken.has(path))).toBe('a/x (3).png');
    expect(freePath('b/x.png', (path) => taken.has(path))).toBe('b/x.png');
  });
});

describe('what names images', () => {
  test('texts, cells and scenes', () => {
    expect(iconsIn('Pay {Icons/coin.png, 0.9, 0.1} or {bold:x} {image:q/a.png}')).toEqual([
      'Icons/coin.png',
      'image:q/a.png',
    ]);
    expect(sourcesInCell('dragon', true)).toEqual(['dragon']);
    expect(sourcesInCell('dragon', false)).toEqual([]);
    expect(sourcesInCell('image:q', false)).toEqual(['image:q']);
    expect(sourcesInCell('https://example.com/a.png', true)).toEqual([]);
    expect(
      sourcesInScene({
        base: { image: { source: 'back.png' }, fill: { kind: 'image', source: 'image:x/p.jpg' } },
        zones: [{ kind: 'text', text: 'A {coin.png}' }, { source: '/by/address' }],
        variables: [{ kind: 'icon', source: 'coin.png' }],
      }),
    ).toEqual(['back.png', 'image:x/p.jpg', 'coin.png']);
  });
});
