import { type WriteBatch, writeBatch } from '@sdk/firestore';
import { expect, test, vi } from 'vitest';
import { byPart } from './translation-parts.ts';
import type { TranslationPlace } from './translation-place.ts';
import { restoreLanguage } from './translations.ts';

vi.mock('@sdk/firestore', async (original) => ({
  ...(await original<typeof import('@sdk/firestore')>()),
  getDoc: async () => ({ exists: () => isThere }),
  doc: (collection: { path: string }, id: string) => ({ path: `${collection.path}/${id}` }),
  runTransaction: () => Promise.reject(new Error('One transaction cannot hold it.')),
  writeBatch: vi.fn(),
}));

let isThere = false;
const place = {
  whole: 'rulebook',
  id: 'book',
  db: {},
  languages: { path: 'book' },
  language: (language: string) => ({ path: `book/${language}` }),
  parts: (language: string) => ({ path: `book/${language}/parts` }),
} as unknown as TranslationPlace;

test('a language that is larger than a commit comes back whole, and what is there of it already stays', async () => {
  const text = 'Zieh. '.repeat(2_000);
  const entries = new Map(
    Array.from({ length: 600 }, (_, at) => [`b${at}.text`, { source: 'Draw.', text }] as const),
  );
  const commits: { path: string; data: { units?: object }; merge: boolean }[][] = [];
  vi.mocked(writeBatch).mockImplementation(() => {
    const own: (typeof commits)[number] = [];
    return {
      set: ({ path }: { path: string }, data: object, options?: { merge: boolean }) =>
        own.push({ path, data, merge: options?.merge ?? false }),
      commit: async () => void commits.push(own),
    } as unknown as WriteBatch;
  });
  await restoreLanguage(place, 'de', entries);
  expect(commits.length).toBeGreaterThan(4);
  for (const commit of commits) expect(JSON.stringify(commit).length).toBeLessThan(1_100_000);
  const [head, ...parts] = commits.flat();
  expect(head?.path).toBe('book/de');
  expect(parts.every(({ merge }) => merge)).toBe(true);
  expect(new Map(parts.flatMap(({ data }) => Object.entries(data.units ?? {})))).toEqual(entries);
  expect(parts.length).toBe(byPart(entries).size);
  // Asked again after its beginning has come through, it goes on.
  isThere = true;
  commits.length = 0;
  await restoreLanguage(place, 'de', entries);
  expect(commits.flat().map(({ path }) => path)).toEqual(parts.map(({ path }) => path));
});
