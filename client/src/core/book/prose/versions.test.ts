import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomDoc } from '../../testing/random-prose.ts';
import { MAX_JSON_DEPTH } from './steps.ts';
import { hashAfter, MAX_VERSION_BYTES, NO_STEPS, readVersion, writeVersion } from './versions.ts';

test('a version is the very document it was written from, ids that are there twice included', () => {
  fc.assert(
    fc.property(randomDoc(), (doc) => {
      const kept = readVersion(writeVersion(doc));
      expect(kept.eq(doc)).toBe(true);
      expect(JSON.stringify(kept.toJSON())).toBe(JSON.stringify(doc.toJSON()));
    }),
    { numRuns: 100 },
  );
});

test('a version that no steps could have left is refused', () => {
  const deep = `${'['.repeat(MAX_JSON_DEPTH + 2)}${']'.repeat(MAX_JSON_DEPTH + 2)}`;
  for (const text of [
    '',
    '[]',
    'null',
    deep,
    '{"type":"paragraph"}',
    '{"type":"doc","content":[]}',
    '{"type":"doc","content":[{"type":"paragraph","attrs":{"id":"a b"}}]}',
    '{"type":"doc","content":[{"type":"script"}]}',
  ]) {
    expect(() => readVersion(text), text.slice(0, 60)).toThrow();
  }
});

test('a text too long to be kept is said to be', () => {
  const long = JSON.stringify({
    type: 'doc',
    content: Array.from({ length: 60 }, (_, at) => ({
      type: 'paragraph',
      attrs: { id: `p${at}` },
      // Three bytes a letter: the limit is the database's, in bytes.
      content: [{ type: 'text', text: '字'.repeat(MAX_VERSION_BYTES / 3 / 50) }],
    })),
  });
  expect(() => writeVersion(readVersion(long))).toThrow(/divide the rulebook/);
});

test('the hash tells steps, their numbers and their order apart', () => {
  const of = (...steps: string[]) =>
    steps.reduce((hash, step, at) => hashAfter(hash, at + 1, step), NO_STEPS);
  expect(of('a', 'b')).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set([of('a', 'b'), of('b', 'a'), of('ab'), of('a'), of('a', '', 'b')]).size).toBe(5);
  expect(hashAfter(of('a'), 2, 'b')).toBe(of('a', 'b'));
});
