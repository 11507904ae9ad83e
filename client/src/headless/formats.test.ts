import { expect, test } from 'vitest';
import { ImageLibrary } from '../core/images/library.ts';
import { DEFAULT_PRINT_SETTINGS } from '../core/imposition/settings.ts';
import { fileNameOf } from './call.ts';
import { FORMATS, type FormatId, optionsSchema } from './formats.ts';

const NAMES: Readonly<Record<FormatId, string>> = {
  pdf: 'Fox Hunt.pdf',
  rulebook: 'Fox Hunt rulebook.pdf',
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

test('boards are split as the print settings say, unless told otherwise', () => {
  const project = {
    id: 'p',
    home: 'p',
    name: 'Fox Hunt',
    version: undefined,
    parts: [],
    contents: { parts: [], layouts: [] },
    settings: {
      ...DEFAULT_PRINT_SETTINGS,
      boards: { ...DEFAULT_PRINT_SETTINGS.boards, fold: 'four' as const },
    },
    library: new ImageLibrary([]),
    without: [],
    untranslated: [],
    unreadable: [],
  };
  const planned = (boards?: object) => {
    const made = FORMATS.pdf.plan(project, optionsSchema.parse({ boards }), undefined);
    return made.kind === 'pdf' ? made.settings.boards : undefined;
  };
  expect(planned()).toEqual(project.settings.boards);
  expect(planned({ split: 'tabs', overlap: 12 })).toEqual({
    split: 'tabs',
    overlap: 12,
    fold: 'four',
    overview: true,
    crosses: false,
  });
  expect(optionsSchema.safeParse({ boards: { overlap: 31 } }).success).toBe(false);
  expect(optionsSchema.safeParse({ boards: { split: 'torn' } }).success).toBe(false);
});
