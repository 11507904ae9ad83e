import { expect, it } from 'vitest';
import { spokenName } from './compose-figure.ts';

it.each([
  ['image:k3v9/art/The old harbour.png', 'The old harbour'],
  ['harbour.webp', 'harbour'],
  ['image:k3v9', 'image:k3v9'],
  ['art/', 'art/'],
])('a picture without a description is called by its name: %s', (source, name) => {
  expect(spokenName(source)).toBe(name);
});
