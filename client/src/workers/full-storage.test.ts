import { expect, test } from 'vitest';
import { fullWords, isFull } from './full-storage.ts';

test('only a lack of room is one', () => {
  expect(isFull(new DOMException('x', 'QuotaExceededError'))).toBe(true);
  expect(isFull(new DOMException('x', 'AbortError'))).toBe(false);
  expect(isFull(new Error('QuotaExceededError'))).toBe(false);
});

test('it names how much there was room for, and what to do', () => {
  expect(fullWords('site', 8.9e6)).toContain('it took 8 MB of the file. Save it to a file on the disk');
  expect(fullWords('site', 0)).toContain('it took 0 kB');
  expect(fullWords('disk', 12.9e6)).toContain('no more room on the disk after 12 MB');
});
