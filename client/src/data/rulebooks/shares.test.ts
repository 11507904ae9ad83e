import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { EDITION_VERSION, type Edition } from '../../core/book/edition/edition.ts';
import { sampleRulebook } from '../../core/testing/sample-rulebook.ts';
import { ownAddress, readEdition } from './read-edition.ts';
import { newLink } from './shares.ts';

afterEach(() => vi.unstubAllGlobals());

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

test('every picture of an edition that is read is on this server', async () => {
  const picture = { name: 'Fox', address: 'https://evil.example/f?token=1', w: 1, h: 1, alt: '' };
  const edition: Edition = {
    version: EDITION_VERSION,
    number: 1,
    name: '',
    at: 1,
    book: sampleRulebook(),
    cards: [picture],
    icons: [picture],
    figures: [picture],
    values: [],
    components: [],
    setUp: { picture, legend: [] },
  };
  vi.stubGlobal('location', { origin: 'https://here.example' });
  const asked = vi.fn(async (_address: string) => new Response(JSON.stringify(edition)));
  vi.stubGlobal('fetch', asked);
  const read = await readEdition({ file: 'https://evil.example/rulebook.json' });
  expect(asked.mock.calls[0]?.[0]).toBe('https://here.example/rulebook.json');
  const pictures = [read.cards, read.icons, read.figures, read.setUp?.picture ?? []].flat();
  expect(pictures.map(({ address }) => address)).toEqual(Array(4).fill('https://here.example/f?token=1'));
});
