import { readFileSync } from 'node:fs';
import { PDFDocument, PDFRawStream } from '@cantoo/pdf-lib';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { zlibSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { embedImage } from '../pdf/images/images.ts';
import { hasTool, run, withPdfFile } from '../testing/testing.ts';
import { exchangedProfile, jpegOf, pngOf } from '../testing/testing-images.ts';
import { colourProfile } from './colour-profile.ts';

const PROFILE = exchangedProfile();
const REDDISH = [200, 50, 30];
const halves = (profile: Uint8Array) => [[...profile.subarray(0, 100)], [...profile.subarray(100)]];
const JPEG = jpegOf(REDDISH, halves(PROFILE));
const PNG = pngOf(REDDISH, zlibSync(PROFILE));

/** A PDF with one page that the images cover, one above the other. */
async function printed(...images: Uint8Array[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([72, 72 * images.length]);
  for (const [index, image] of images.entries()) {
    const ref = await embedImage(document.context, 'test', image, undefined);
    const name = page.node.newXObject('Image', ref);
    const place = `q 72 0 0 72 0 ${72 * index} cm ${name} Do Q`;
    page.node.addContentStream(document.context.register(document.context.stream(place)));
  }
  return document.save();
}

/** Colour in the middle of a page of one image. */
const painted = (pdf: Uint8Array): number[] =>
  withPdfFile(pdf, (file, folder) => {
    run('pdftoppm', ['-r', '72', '-singlefile', file, `${folder}/page`]);
    const pixels = readFileSync(`${folder}/page.ppm`).subarray(-72 * 72 * 3);
    return [...pixels.subarray((36 * 72 + 36) * 3).subarray(0, 3)];
  });

async function onCanvas(image: Uint8Array): Promise<number[]> {
  const context = createCanvas(1, 1).getContext('2d');
  context.drawImage(await loadImage(Buffer.from(image)), 0, 0);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

test('a profile is found whole in a JPEG and a PNG', () => {
  for (const file of [JPEG, PNG]) expect(colourProfile(file)).toEqual({ bytes: PROFILE, channels: 3 });
  for (const file of [jpegOf(REDDISH), new Uint8Array(0), new Uint8Array(3), JPEG.subarray(0, 60)])
    expect(colourProfile(file)).toBeUndefined();
});

test('what cannot be used as a profile is left out', () => {
  const changed = (at: number, ...bytes: number[]) => {
    const profile = PROFILE.slice();
    profile.set(bytes, at);
    return profile;
  };
  const bad = [
    changed(36, 0),
    changed(16, 0x4c),
    changed(12, 0x6c),
    changed(0, 255),
    PROFILE.subarray(0, 127),
  ];
  for (const profile of bad) expect(colourProfile(jpegOf(REDDISH, [[...profile]]))).toBeUndefined();
  const incomplete = jpegOf(REDDISH, halves(PROFILE));
  incomplete[incomplete.indexOf(0xe2) + 15] = 2;
  expect(colourProfile(incomplete)).toBeUndefined();
  expect(colourProfile(pngOf(REDDISH, new Uint8Array(9)))).toBeUndefined();
});

test('a profile that unpacks to more than any has is left out', () => {
  const large = new Uint8Array((4 << 20) + 1);
  large.set(PROFILE);
  expect(colourProfile(pngOf(REDDISH, zlibSync(large, { level: 0 })))).toBeUndefined();
});

describe('in a PDF', () => {
  test('images of one profile share it, and one of other channels keeps its own space', async () => {
    const spaces = async (...images: Uint8Array[]) => {
      const document = await PDFDocument.load(await printed(...images));
      const streams = document.context.enumerateIndirectObjects().map(([, object]) => object);
      return streams.flatMap((object) =>
        object instanceof PDFRawStream && object.dict.toString().includes('/Image')
          ? [String(object.dict.toString().match(/\/ColorSpace (\[.*?\]|\S+)/)?.[1])]
          : [],
      );
    };
    const [first, second] = await spaces(JPEG, PNG);
    expect(first).toMatch(/ICCBased/);
    expect(second).toBe(first);
    expect(await spaces(jpegOf([255, 55, 55, 235], halves(PROFILE)))).toEqual(['/DeviceCMYK']);
  });

  test.runIf(hasTool('pdftoppm'))('colours are those of the canvas', async () => {
    for (const image of [JPEG, PNG, jpegOf(REDDISH)]) {
      const [pdf, canvas] = [painted(await printed(image)), await onCanvas(image)];
      for (const [index, value] of pdf.entries())
        expect(Math.abs(value - Number(canvas[index]))).toBeLessThan(6);
    }
    expect(await onCanvas(JPEG)).not.toEqual(await onCanvas(jpegOf(REDDISH)));
  });

  test.runIf(hasTool('pdftoppm'))('CMYK is close to the canvas, where 0 is all of an ink', async () => {
    // A little black, much magenta and yellow.
    const red = jpegOf([255, 55, 55, 235]);
    const [pdf, canvas] = [painted(await printed(red)), await onCanvas(red)];
    for (const [index, value] of pdf.entries())
      expect(Math.abs(value - Number(canvas[index]))).toBeLessThan(40);
    expect(canvas[0]).toBeGreaterThan(180);
  });
});
