import { type DocumentReference, type Firestore, getDoc, type WriteBatch, writeBatch } from '@sdk/firestore';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { commitInBatches, commitNew } from './commit.ts';

vi.mock('@sdk/firestore', () => ({ getDoc: vi.fn(), writeBatch: vi.fn() }));
afterEach(() => vi.mocked(getDoc).mockReset());

const made = {} as DocumentReference;
const failing = (code: string) =>
  ({ commit: () => Promise.reject(Object.assign(new Error(code), { code })) }) as unknown as WriteBatch;
const answer = (exists: boolean) => ({ exists: () => exists }) as Awaited<ReturnType<typeof getDoc>>;

it('counts a commit without an answer as done if the server has its document', async () => {
  for (const code of ['deadline-exceeded', 'unavailable']) {
    vi.mocked(getDoc).mockResolvedValueOnce(answer(true));
    await commitNew(failing(code), made);
  }
  expect(getDoc).toHaveBeenCalledTimes(2);
});

it('fails if the document is not there, or nobody can say', async () => {
  vi.mocked(getDoc).mockResolvedValueOnce(answer(false));
  await expect(commitNew(failing('deadline-exceeded'), made)).rejects.toThrow('deadline-exceeded');
  vi.mocked(getDoc).mockRejectedValueOnce(new Error('offline'));
  await expect(commitNew(failing('unavailable'), made)).rejects.toThrow('unavailable');
});

it('does not ask about a commit that was refused', async () => {
  await expect(commitNew(failing('permission-denied'), made)).rejects.toThrow('permission-denied');
  expect(getDoc).not.toHaveBeenCalled();
});

it('writes everything once and in order, in commits that hold no more than one may', async () => {
  const anySizes = fc.array(fc.integer({ min: 1, max: 1_200_000 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(anySizes, fc.constant(Array<number>(600).fill(9))), async (sizes) => {
      const commits: number[][] = [];
      vi.mocked(writeBatch).mockImplementation(() => {
        const own: number[] = [];
        const commit = async () => void commits.push(own);
        return { own, commit } as unknown as WriteBatch;
      });
      const writes = sizes.map((characters, at) => ({
        characters,
        into: (batch: WriteBatch) => void (batch as unknown as { own: number[] }).own.push(at),
      }));
      await commitInBatches({} as Firestore, writes);
      expect(commits.flat()).toEqual(sizes.map((_, at) => at));
      for (const commit of commits) {
        const characters = commit.reduce((sum, at) => sum + (sizes[at] ?? 0), 0);
        expect(commit.length).toBeLessThanOrEqual(250);
        expect(commit.length === 1 || characters < 1_000_000).toBe(true);
      }
    }),
  );
});
