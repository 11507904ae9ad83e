/** Photos of a phone: stored without the place where they were taken, and as upright as they are shown elsewhere. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Complaints } from '../browser.ts';
import { dropOn, storedImages } from '../pages/images-page.ts';
import type { Server } from '../server.ts';
import { startSignedIn } from '../signed-in.ts';

const PERSON = { name: 'Pia Place', email: 'pia@example.com', password: 'a long enough one' };
const SECRET = 'GPS 48.2082 N 16.3738 E';
const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8];

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let folder: string;

/** A picture whose four corners differ. */
function corners(seed: number): Buffer {
  const canvas = createCanvas(96, 64);
  const ctx = canvas.getContext('2d');
  for (const [i, color] of ['#c81414', '#14a028', '#143cc8', '#f0f0f0'].entries()) {
    ctx.fillStyle = color;
    ctx.fillRect(48 * (i % 2), 32 * Math.floor(i / 2), 48, 32);
  }
  ctx.fillStyle = `rgb(${seed * 20}, 0, 0)`;
  ctx.fillRect(44, 28, 8, 8);
  return canvas.toBuffer('image/jpeg', 95);
}

/** The same with EXIF, as a phone writes it: an orientation, and a place. */
function photo(orientation: number): Buffer {
  const jpeg = corners(orientation);
  const exif = Buffer.alloc(26);
  exif.write('MM\0*', 'latin1');
  exif.writeUInt32BE(8, 4);
  for (const [at, value] of [
    [8, 1],
    [10, 0x0112],
    [12, 3],
    [16, 1],
    [18, orientation],
  ] as const) {
    exif.writeUInt16BE(value, at);
  }
  const content = Buffer.concat([Buffer.from('Exif\0\0'), exif, Buffer.from(SECRET)]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  folder = await mkdtemp(join(tmpdir(), 'tuckbox-photos-'));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Size and corners of a file, as the browser shows it. */
const shown = (file: Buffer) =>
  page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/jpeg;base64,${base64}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const ctx = canvas.getContext('2d');
    ctx?.drawImage(bitmap, 0, 0);
    const at = (x: number, y: number) =>
      // JPEG changes colours a little.
      [...(ctx?.getImageData(x, y, 1, 1).data ?? [])].map((value) => Math.round(value / 40)).join(' ');
    const [right, bottom] = [bitmap.width - 9, bitmap.height - 9];
    return [bitmap.width, bitmap.height, at(8, 8), at(right, 8), at(8, bottom), at(right, bottom)];
  }, file.toString('base64'));

test('every orientation is stored upright, and the place of none', async () => {
  const files = ORIENTATIONS.map((orientation) => join(folder, `photo ${orientation}.jpg`));
  for (const [i, file] of files.entries()) await writeFile(file, photo(ORIENTATIONS[i] ?? 1));
  await page.goto(`${server.origin}/images`);
  await dropOn(page, files);
  const images = () => storedImages(server, PERSON);
  await expect.poll(async () => (await images()).length).toBe(ORIENTATIONS.length);
  const stored = await images();
  for (const orientation of ORIENTATIONS) {
    const image = stored.find(({ path }) => path === `photo ${orientation}.jpg`);
    const bytes = Buffer.from(await (await fetch(`${server.origin}${image?.url}`)).arrayBuffer());
    expect(bytes.includes('Exif') || bytes.includes('GPS'), `${orientation}`).toBe(false);
    expect(await shown(bytes), `${orientation}`).toEqual(await shown(photo(orientation)));
  }
  // The same photos again are known, turned or not.
  await page.reload();
  await dropOn(page, files);
  await page.getByText('Already in the library').first().waitFor();
  expect((await images()).length).toBe(ORIENTATIONS.length);
  expect(complaints).toEqual([]);
});
