import { expect, test } from 'vitest';
import { fullWords, isFull } from './full-storage.ts';

test('only a lack of room is one', () => {
  expect(isFull(new DOMException('x', 'QuotaExceededError'))).toBe(true);
  expect(isFull(new DOMException('x', 'AbortError'))).toBe(false);
  expect(isFull(new Error('QuotaExceededError'))).toBe(false);
});

test('it names what the browser gives, what was free, and what to do', () => {
  const words = fullWords('site', 9e6, { quota: 50e6, usage: 41.5e6 });
  expect(words).toContain('the 50 MB that the browser gives this site, of which 8 MB were free');
  expect(words).toContain('Save it to a file on the disk');
  expect(fullWords('site', 0, {})).toContain('larger than what the browser gives this site');
  expect(fullWords('disk', 12.9e6, { quota: 1 })).toContain('no more room on the disk after 12 MB');
});
