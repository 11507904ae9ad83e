import { afterEach, expect, test, vi } from 'vitest';
import { isStoredFile, isStoredHere } from './stored-file.ts';

const HERE = 'https://cards.example';

afterEach(() => vi.unstubAllGlobals());

const STORED = ['/v0/b/x/o/y?alt=media&token=t', `${HERE}/v0/b/x`, 'https://CARDS.example:443/v0/b/x'];
const OTHERS = [
  '/metrics',
  '/v0/b/../../metrics',
  '/v0/b/%2e%2e/%2e%2e/metrics',
  'v0/bx',
  '//tracker.example/v0/b/x',
  '/\\tracker.example/v0/b/x',
  'https://tracker.example/v0/b/x',
  'http://cards.example/v0/b/x',
  'https://cards.example@tracker.example/v0/b/x',
  `blob:${HERE}/v0/b/x`,
  'data:text/html,/v0/b/x',
  'javascript:alert(1)',
  'https://',
  '',
];

test('addresses of stored files of the same server, and no others', () => {
  for (const address of STORED) expect(isStoredFile(address, HERE), address).toBe(true);
  for (const address of OTHERS) expect(isStoredFile(address, HERE), address).toBe(false);
});

test('the page’s own server counts; where there is no page, the path', () => {
  vi.stubGlobal('location', { origin: HERE });
  for (const address of STORED) expect(isStoredHere(address), address).toBe(true);
  for (const address of OTHERS) expect(isStoredHere(address), address).toBe(false);
  vi.stubGlobal('location', undefined);
  for (const address of STORED) expect(isStoredHere(address), address).toBe(true);
  for (const address of ['/metrics', 'https://tracker.example/x', 'javascript:x', 'https://']) {
    expect(isStoredHere(address), address).toBe(false);
  }
});
