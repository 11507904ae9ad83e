import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileTooLarge, NewFile } from './new-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'new-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a file appears when it is whole', async () => {
  const file = await NewFile.create(path.join(folder, 'a'), 4);
  await file.write(new Uint8Array([1, 2, 3, 4]));
  expect(await readdir(folder)).not.toContain('a');
  await file.close();
  expect(await readdir(folder)).toEqual(['a']);
  expect([...(await readFile(path.join(folder, 'a')))]).toEqual([1, 2, 3, 4]);
});

test('what would be past its size is not written', async () => {
  const file = await NewFile.create(path.join(folder, 'a'), 1_000);
  await file.write(new Uint8Array(600));
  await expect(file.write(new Uint8Array(600))).rejects.toThrow(FileTooLarge);
  const [unfinished = ''] = await readdir(folder);
  expect((await stat(path.join(folder, unfinished))).size).toBe(600);
  await file.discard();
  expect(await readdir(folder)).toEqual([]);
});
