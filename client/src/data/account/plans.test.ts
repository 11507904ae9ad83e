import { expect, test } from 'vitest';
import { limitLines, sizeWords } from './plans.ts';

test('sizes are said in the unit that keeps them short', () => {
  const rows: readonly [number, string][] = [
    [0, '0 bytes'],
    [1023, '1,023 bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [100 * 1024 ** 2, '100 MB'],
    [2 * 1024 ** 3, '2 GB'],
    [3000 * 1024 ** 4, '3,000 TB'],
  ];
  for (const [bytes, words] of rows) expect(sizeWords(bytes)).toBe(words);
});

test('only what a plan limits is named', () => {
  expect(limitLines({})).toEqual([]);
  expect(limitLines({ projects: 1, members: 0, storageBytes: 1024, documentBytes: 2048 })).toEqual([
    '1 project',
    '0 members in a project beside you',
    '1 KB of files',
    '2 KB of documents',
  ]);
  expect(limitLines({ projects: 3, layouts: 10, images: 1000 })).toEqual([
    '3 projects',
    '10 layouts',
    '1,000 pictures',
  ]);
});
