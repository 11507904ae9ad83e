import { expect, test } from 'vitest';
import { ImageLibrary, type LibraryImage } from '../images/library.ts';
import { newLayout } from '../scene/new-layout.ts';
import { imageDifference } from './files.ts';
import { cellsWithImages, imagesOfState, withImages } from './pictures.ts';

const OLD = '/v0/b/files/o/projects%2Fd%2Fimages%2Fold?alt=media';
const NEW = '/v0/b/files/o/projects%2Fd%2Fimages%2Fnew?alt=media';
const SAME = '/v0/b/files/o/projects%2Fd%2Fimages%2Fsame?alt=media';

const image = (id: string, path: string, url: string): LibraryImage => ({
  ...{ id, shelf: 'image', path, former: [], url, rank: -1 },
});
const today = new ImageLibrary([
  image('fox', 'Animals/fox.png', NEW),
  image('owl', 'owl.png', SAME),
  image('new', 'lynx.png', NEW),
]);
const change = (id: string, before: object | null, after: object | null) =>
  imageDifference({ path: `images/${id}`, before: before as never, after: after as never }, id);
const images = [
  change('fox', { path: 'Animals/fox.png', url: OLD }, { path: 'Animals/fox.png', url: NEW }),
  change('new', null, { path: 'lynx.png', url: NEW }),
  change('hen', { path: 'hen.png', url: OLD }, null),
];

test('what names an image that looked otherwise gets its address of that time', () => {
  const before = imagesOfState(today, images, 'before');
  for (const source of ['fox.png', 'fox', 'image:fox/Animals/fox.png']) expect(before?.(source)).toBe(OLD);
  expect(before?.('hen.png')).toBe(OLD);
  expect(before?.('owl.png')).toBeUndefined();
  expect(before?.('never.png')).toBeUndefined();
  expect(today.find(before?.('lynx.png') ?? '')).toBeUndefined();
  const after = imagesOfState(today, images, 'after');
  expect([after?.('fox.png'), after?.('lynx.png')]).toEqual([undefined, undefined]);
  expect(imagesOfState(today, [], 'before')).toBeUndefined();
});

test('addresses of other servers are not taken over', () => {
  const elsewhere = [change('fox', { path: 'fox.png', url: 'https://else.example/x.png' }, null)];
  expect(imagesOfState(today, elsewhere, 'before')?.('fox.png')).not.toMatch(/else/);
});

test('layouts and cells are drawn with the images of their state', () => {
  const before = imagesOfState(today, images, 'before');
  const layout = newLayout('Front');
  const named = { ...layout, base: { ...layout.base, source: 'fox.png' } } as typeof layout;
  expect(JSON.stringify(withImages(named, before))).toContain(OLD);
  expect(withImages(named, undefined)).toBe(named);
  const cells = { art: 'fox.png', rule: 'Pay {fox.png, 1} to the owl', name: 'fox' };
  expect(cellsWithImages(cells, new Set(['art']), before)).toEqual({
    ...{ art: OLD, rule: `Pay {${OLD}, 1} to the owl`, name: 'fox' },
  });
});
