import { type DocumentReference, getDoc, type WriteBatch } from '@sdk/firestore';
import { afterEach, expect, it, vi } from 'vitest';
import { commitNew } from './commit.ts';

vi.mock('@sdk/firestore', () => ({ getDoc: vi.fn() }));
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
