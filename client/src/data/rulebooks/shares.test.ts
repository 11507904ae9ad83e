import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownAddress } from './read-edition.ts';
import { newLink } from './shares.ts';

test('a link has 24 letters and digits, whatever bytes chance gives, and all of them come up', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(255)), (bytes) => {
      const link = newLink((into) => {
        into[0] = bytes.next().value;
      });
      expect(link).toMatch(/^[A-Za-z0-9]{24}$/);
    }),
  );
  let next = 0;
  const letters = Array.from({ length: 62 }, () =>
    newLink((into) => {
      into[0] = next++;
    }),
  ).join('');
  expect(new Set(letters).size).toBe(62);
});

test('whatever address is stored, a reader stays on this server', () => {
  const own = 'https://here.example';
  const path = '/v0/b/x/o/f?alt=media&token=1';
  for (const address of [path, `${own}${path}`, `https://evil.example${path}`, `//evil.example${path}`]) {
    expect(ownAddress(address, own)).toBe(`${own}${path}`);
  }
  for (const odd of [
    '',
    'https://a.example//evil.example/f',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    '\\\\evil.example/f',
  ]) {
    expect(new URL(ownAddress(odd, own), own).origin, odd).toBe(own);
  }
});
