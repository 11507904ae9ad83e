import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertContiguous, MIGRATIONS, migrateUserObject } from './migrations.ts';
import {
  CURRENT_ANNOUNCEMENT,
  clampPaletteIndex,
  DEFAULT_IMAGE_ICON_SIZE,
  DEFAULT_PNG_EXPORT_SIZE,
  defaultUserObject,
  repairUserObject,
  USER_OBJECT_FIELDS,
  USER_OBJECT_VERSION,
} from './schema.ts';

const DEFAULTS = {
  darkMode: false,
  showGrid: false,
  userFonts: [],
  globalImageIconSize: '66px',
  globalSortImagesBy: 'date',
  globalPalettes: [{ name: 'Untitled Palette', paletteArray: [] }],
  globalPaletteIndex: 0,
  globalPaletteVisible: false,
  globalPalettesExpanded: false,
  globalShapes: [],
  globalZoneClipBoard: [],
  generators: [],
  promptSentences: [],
  pngExportSize: 200,
  chromeWarning: false,
  shownNewUserIntro: false,
  newExportAnnouncement: false,
  invertedLayoutHierarchy: false,
  tutorialData: { currentTutorial: null, namesOfTutorialsCompleted: [] },
  useTableScroll: true,
  smoothTableScroll: true,
  cardScrollBehavior: 'smooth',
  tags: [],
  activeTags: [],
  showCardCopies: true,
  overlayTextCells: true,
  variableHighlight: true,
  versionNum: 20,
};

/** Any document, with the fields that matter more likely than chance would have them. */
const anyObject = fc
  .record(
    Object.fromEntries(
      USER_OBJECT_FIELDS.map((field) => [
        field,
        fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.array(fc.string()), fc.integer(), fc.boolean()),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((object) =>
    Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)),
  ) as fc.Arbitrary<Record<string, unknown>>;

describe('the settings', () => {
  it('have the defaults of the specification', () => {
    expect(defaultUserObject()).toEqual({ ...DEFAULTS, announcementNumber: 4 });
    expect([USER_OBJECT_VERSION, CURRENT_ANNOUNCEMENT]).toEqual([20, 4]);
    expect([DEFAULT_PNG_EXPORT_SIZE, DEFAULT_IMAGE_ICON_SIZE]).toEqual([200, '66px']);
  });

  it('of nothing at all become the defaults, with everything still to be announced', () => {
    expect(migrateUserObject({})).toEqual({
      object: { ...DEFAULTS, announcementNumber: 0 },
      changed: true,
    });
  });

  it('turn font names into fonts', () => {
    expect(migrateUserObject({ userFonts: ['Cinzel'], versionNum: 3 }).object.userFonts).toEqual([
      { fontFamily: 'Cinzel', url: '', format: 'woff2', fontWeight: 'normal', fontStyle: 'normal' },
    ]);
  });

  it.each([
    [7, 2, 1],
    [-3, 2, 0],
    [1, 2, 1],
    [Number.NaN, 2, 0],
    ['1', 2, 0],
    [4, 0, 0],
  ])('clamp palette %s of %s to %s', (index, palettes, expected) => {
    expect(clampPaletteIndex(index, palettes)).toBe(expected);
  });

  it('of a newer program keep their version and what is not known here', () => {
    const { object, changed } = migrateUserObject({ versionNum: 23, later: { a: 1 }, showGrid: true });
    expect(object).toMatchObject({ versionNum: 23, later: { a: 1 }, showGrid: true });
    expect(changed).toBe(false);
  });
});

describe('the steps', () => {
  it('lead from 0 to 20 one by one', () => {
    expect(() => assertContiguous(MIGRATIONS, USER_OBJECT_VERSION)).not.toThrow();
    expect(() => assertContiguous(MIGRATIONS.slice(1), 19)).toThrow('begins at version 1');
    expect(() => assertContiguous(MIGRATIONS.slice(0, 19), 20)).toThrow('end at 19');
  });

  it('change nothing the second time, so that too low a version does no harm', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        for (const { change } of MIGRATIONS) {
          const once = change(object);
          expect(change(once)).toEqual(once);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('bring any old object, of any version, to a valid one of version 20', () => {
    fc.assert(
      fc.property(anyObject, fc.integer({ min: 0, max: 20 }), (stored, versionNum) => {
        const { object } = migrateUserObject({ ...stored, versionNum });
        expect(object.versionNum).toBe(20);
        for (const field of USER_OBJECT_FIELDS) expect(object).toHaveProperty(field);
        expect(object.globalPalettes[object.globalPaletteIndex]).toBeDefined();
        expect(repairUserObject(object)).toEqual(object);
      }),
    );
  });

  it('keep every valid setting, whatever version the object claims', () => {
    const settings = fc.record({
      showGrid: fc.boolean(),
      variableHighlight: fc.boolean(),
      pngExportSize: fc.integer({ min: 10, max: 625 }),
      globalPalettes: fc.array(fc.record({ name: fc.string(), paletteArray: fc.array(fc.string()) }), {
        minLength: 1,
      }),
      tags: fc.array(fc.string()),
      announcementNumber: fc.integer({ min: 0, max: 4 }),
      unknownToThisVersion: fc.jsonValue(),
    });
    fc.assert(
      fc.property(settings, fc.integer({ min: -1, max: 20 }), (stored, versionNum) => {
        const { object } = migrateUserObject({ ...structuredClone(stored), versionNum });
        expect(object).toMatchObject(stored);
      }),
    );
  });
});
