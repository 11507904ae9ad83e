import { expect, test } from 'vitest';
import { TargetFile } from './export-target.ts';

/** A file on disk whose writings end when the test says so. */
function disk() {
  const written: number[] = [];
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const log: string[] = [];
  const handle = {
    createWritable: async () => ({
      write: (bytes: Uint8Array) => {
        log.push(`write ${bytes.length}`);
        return new Promise<void>((resolve, reject) => {
          waiting.push({
            resolve: () => {
              for (const byte of bytes) written.push(byte);
              resolve();
            },
            reject,
          });
        });
      },
      close: async () => void log.push('close'),
      abort: async () => void log.push('abort'),
    }),
    getFile: async () => ({ size: 0 }),
    remove: async () => void log.push('remove'),
  };
  const open = () => TargetFile.open({ kind: 'disk', handle: handle as unknown as FileSystemFileHandle });
  return { open, written, waiting, log };
}

const MIB = 1024 * 1024;
const chunk = (value: number, length: number): Uint8Array => new Uint8Array(length).fill(value);
const turns = () => new Promise((resolve) => setTimeout(resolve, 0));

test('small pieces go together, and nobody waits for the first to be written', async () => {
  const { open, written, waiting, log } = disk();
  const file = await open();
  for (let value = 1; value <= 4; value++) await file.write(chunk(value, MIB / 2));
  // Handed over; further bytes are accepted meanwhile.
  expect(log).toEqual([`write ${2 * MIB}`]);
  await file.write(chunk(5, 10));
  expect(file.bytes).toBe(2 * MIB + 10);
  const closed = file.close();
  await turns();
  expect(log).toHaveLength(1);
  waiting[0]?.resolve();
  await turns();
  expect(log).toEqual([`write ${2 * MIB}`, 'write 10']);
  waiting[1]?.resolve();
  await closed;
  expect(log.at(-1)).toBe('close');
  expect(written).toHaveLength(2 * MIB + 10);
  expect([written[0], written[MIB / 2], written[2 * MIB - 1], written[2 * MIB]]).toEqual([1, 2, 4, 5]);
});

test('no more than one writing is under way: the second waits', async () => {
  const { open, waiting, log } = disk();
  const file = await open();
  await file.write(chunk(1, 2 * MIB));
  let taken = false;
  const second = file.write(chunk(2, 2 * MIB)).then(() => {
    taken = true;
  });
  await turns();
  expect([taken, log.length]).toEqual([false, 1]);
  waiting[0]?.resolve();
  await second;
  expect(log).toHaveLength(2);
});

const byNext = (file: TargetFile) => file.write(chunk(2, 2 * MIB));
const atEnd = (file: TargetFile) => file.close();
test.each([
  ['QuotaExceededError', 'by the next piece', byNext, 'no more room on the disk after 0 kB'],
  ['QuotaExceededError', 'at the end', atEnd, 'no more room on the disk after 0 kB'],
  ['AbortError', 'by the next piece', byNext, 'took 0 kB of the file and then no more'],
])(
  'a writing that fails with %s is told of %s, with how much found room',
  async (name, _when, next, said) => {
    const { open, waiting, log } = disk();
    const file = await open();
    await file.write(chunk(1, 3 * MIB));
    waiting[0]?.reject(new DOMException('x', name));
    await expect(next(file)).rejects.toThrow(said);
    await file.discard();
    expect(log).toEqual([`write ${3 * MIB}`, 'abort', 'remove']);
  },
);

test('without room for an empty file the remedy is said', async () => {
  const full = { createWritable: () => Promise.reject(new DOMException('Full.', 'QuotaExceededError')) };
  const open = TargetFile.open({ kind: 'disk', handle: full as unknown as FileSystemFileHandle });
  await expect(open).rejects.toThrow('There was no more room on the disk after 0 kB.');
});
