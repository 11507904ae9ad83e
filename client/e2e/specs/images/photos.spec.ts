/** Photos of a phone: stored without the place where they were taken, and as upright as they are shown elsewhere. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Complaints } from '../../browser.ts';
import { dropOn, storedImages } from '../../pages/images-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

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

/** Parts of a file format: a length, a name, a content. */
function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A picture as AVIF, with what cameras and programs add: XMP, and EXIF. */
function avif(): Buffer {
  const canvas = createCanvas(96, 64);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = '#14a028';
  ctx.fillRect(0, 0, 96, 64);
  const xmp = Buffer.concat([
    Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
    Buffer.from(`<x>${SECRET}</x>`),
  ]);
  const exif = box('free', Buffer.from(`Exif\0\0MM\0*${SECRET}`));
  return Buffer.concat([canvas.toBuffer('image/avif'), box('uuid', xmp), exif]);
}

/** A GIF of one pixel with a comment. */
function gif(): Buffer {
  const head = Buffer.from('47494638396101000100800000ffffff000000', 'hex');
  const rest = Buffer.from('21f90400000000002c00000000010001000002024401003b', 'hex');
  const comment = Buffer.from([0x21, 0xfe, SECRET.length, ...Buffer.from(SECRET), 0]);
  return Buffer.concat([head, comment, rest, Buffer.from(SECRET)]);
}

const SVG = `<?xml version="1.0"?><!-- ${SECRET} --><svg xmlns="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="20" height="20" data-author="${SECRET}" aria-label="${SECRET}" inkscape:export-filename="${SECRET}"><title>${SECRET}</title><desc>${SECRET}</desc><metadata><rdf:RDF><rdf:li>${SECRET}</rdf:li></rdf:RDF></metadata><style>/* ${SECRET} */ .a{fill:#00C000}</style><g>${SECRET}<!-- ${SECRET} --><path class="a" d="M0 0h20v20H0z"/></g></svg>`;
const HTML_IN_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><foreignObject width="20" height="20"><p xmlns="http://www.w3.org/1999/xhtml">Hi</p></foreignObject></svg>`;

test('in every format, a file is stored without what was written beside its picture', async () => {
  const before = (await storedImages(server, PERSON)).length;
  const contents = { 'note.gif': gif(), 'note.svg': SVG, 'note.avif': avif(), 'html.svg': HTML_IN_SVG };
  const files = Object.entries(contents).map(([name, content]) => [join(folder, name), content] as const);
  for (const [file, content] of files) await writeFile(file, content);
  await page.goto(`${server.origin}/images`);
  await dropOn(
    page,
    files.map(([file]) => file),
  );
  // Browsers let no page copy what they show of HTML.
  await page.getByText('has parts of a web page in it').first().waitFor();
  await expect.poll(async () => (await storedImages(server, PERSON)).length).toBe(before + 3);
  const stored = (await storedImages(server, PERSON)).filter(({ path }) => path.startsWith('note'));
  expect(stored).toHaveLength(3);
  for (const { path, url } of stored) {
    const bytes = Buffer.from(await (await fetch(`${server.origin}${url}`)).arrayBuffer());
    expect(bytes.length, path).toBeGreaterThan(20);
    expect(bytes.includes('GPS') || bytes.includes('Exif'), path).toBe(false);
    const [r = 0, g = 0] = await page.evaluate(async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob()).catch(async () => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image;
      });
      const ctx = new OffscreenCanvas(1, 1).getContext('2d');
      ctx?.drawImage(bitmap, 0, 0);
      return [...(ctx?.getImageData(0, 0, 1, 1).data ?? [])];
    }, url);
    expect(g >= r, `${path} is still seen`).toBe(true);
  }
  expect(complaints).toEqual([]);
});
