import { expect, test } from 'vitest';
import { refusalOf, refusalWords } from './full-storage.ts';

test('a lack of room is told from a pipe that was shut, and from everything else', () => {
  const named = (name: string) => new DOMException('x', name);
  expect(refusalOf(named('QuotaExceededError'), 'write')).toBe('full');
  expect(refusalOf(named('QuotaExceededError'), 'close')).toBe('full');
  expect(refusalOf(named('AbortError'), 'write')).toBe('stopped');
  expect(refusalOf(named('AbortError'), 'close')).toBeUndefined();
  expect(refusalOf(named('NotAllowedError'), 'write')).toBeUndefined();
  expect(refusalOf(new Error('QuotaExceededError'), 'write')).toBeUndefined();
});

test('it names how much was taken, and what to do', () => {
  expect(refusalWords('full', 'site', 8.9e6)).toContain(
    'it took 8 MB of the file. Save it to a file on the disk',
  );
  expect(refusalWords('full', 'site', 0)).toContain('it took 0 kB');
  expect(refusalWords('stopped', 'site', 0)).toContain(
    'took 0 kB of the file and then no more, most likely for want of room. Save it',
  );
  expect(refusalWords('full', 'disk', 12.9e6)).toContain('no more room on the disk after 12 MB');
  expect(refusalWords('stopped', 'disk', 12.9e6)).toContain('took 12 MB of the file and then no more');
});
