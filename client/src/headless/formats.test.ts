import { expect, test } from 'vitest';
import { fileNameOf } from './call.ts';
import { FORMATS, type FormatId, optionsSchema } from './formats.ts';

const NAMES: Readonly<Record<FormatId, string>> = {
  pdf: 'Fox Hunt.pdf',
  png: 'Fox Hunt.zip',
  webp: 'Fox Hunt.zip',
  jpeg: 'Fox Hunt.zip',
  tts: 'Fox Hunt for tts.zip',
  tabletopia: 'Fox Hunt for tabletopia.zip',
  screentop: 'Fox Hunt for screentop.zip',
  pcio: 'Fox Hunt for pcio.zip',
  mpc: 'Fox Hunt for mpc.zip',
  tgc: 'Fox Hunt for tgc.zip',
  dtc: 'Fox Hunt for dtc.pdf',
};

test.each(Object.entries(NAMES))('%s is made as %s', (format, name) => {
  expect(fileNameOf('Fox Hunt', optionsSchema.parse({ format }))).toBe(name);
  expect(FORMATS[format as FormatId].summary).not.toBe('');
});

test('a PDF that is split comes in a ZIP', () => {
  expect(fileNameOf('Fox Hunt', optionsSchema.parse({ splitMb: 5 }))).toBe('Fox Hunt.zip');
});

test('there are exactly the formats with a name', () => {
  expect(Object.keys(FORMATS).sort()).toEqual(Object.keys(NAMES).sort());
  expect(optionsSchema.safeParse({ format: 'constructor' }).success).toBe(false);
});
