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
      const moved = images.map((one, i) => {
        const next = moves[i];
        return next === undefined ? one : { ...one, path: next, former: [one.path, ...one.former] };
      });
      const library = new ImageLibrary(moved);
      picked.forEach((source, i) => {
        expect(library.find(source)?.id).toBe(`i${i}`);
        expect(readReference(source)).toEqual({ shelf: 'image', id: `i${i}`, path: paths[i] });
      });
      // A name typed by hand finds the moved image as long as nothing else has that name now.
      images.forEach(({ path: typed }, i) => {
        const found = library.find(typed);
        expect(found).toBeDefined();
        if (!moved.some((other) => other.path === typed) && found?.id !== `i${i}`) {
          expect([found?.path, ...(found?.former ?? [])].join(' ').toLowerCase()).toContain(
            typed.split('/').at(-1),
          );
        }
      });
    }),
  );
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
