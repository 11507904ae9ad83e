import {
  clampPaletteIndex,
  DEFAULT_FONT_FORMAT,
  DEFAULT_IMAGE_ICON_SIZE,
  DEFAULT_PALETTE_NAME,
  DEFAULT_PNG_EXPORT_SIZE,
  repairUserObject,
  USER_OBJECT_VERSION,
  type UserObject,
} from './schema.ts';

/**
 * Old settings, brought to the present step by step, each from `n` to `n + 1`.
 *
 * A stored version number is a claim, not a proof: earlier programs at times wrote a lower number
 * than a later check expected. So a step only ever adds what is missing or turns an old form into
 * the new one. Running it on an object that has had it changes nothing, and it does not matter
 * from how low a number the walk begins.
 */

/** Settings on the way: anything a document can hold. */
export type OldObject = Readonly<Record<string, unknown>>;

/** One step, from version `from` to `from + 1`. */
export interface Migration {
  readonly from: number;
  readonly about: string;
  readonly change: (object: OldObject) => OldObject;
}

/** Adds what is missing. */
const adds =
  (defaults: OldObject) =>
  (object: OldObject): OldObject => ({ ...defaults, ...object });

/** A font that is only a name becomes an object. */
function fontObjects(object: OldObject): OldObject {
  if (!Array.isArray(object.userFonts)) return object;
  return {
    ...object,
    userFonts: object.userFonts.map((font: unknown) =>
      typeof font === 'string'
        ? {
            fontFamily: font,
            url: '',
            format: DEFAULT_FONT_FORMAT,
            fontWeight: 'normal',
            fontStyle: 'normal',
          }
        : font,
    ),
  };
}

/** A length that is only a number becomes CSS pixels. */
function iconSize(object: OldObject): OldObject {
  const size = object.globalImageIconSize;
  const known = typeof size === 'number' ? `${size}px` : (size ?? DEFAULT_IMAGE_ICON_SIZE);
  return { pngExportSize: DEFAULT_PNG_EXPORT_SIZE, ...object, globalImageIconSize: known };
}

function clampedPalette(object: OldObject): OldObject {
  const palettes = Array.isArray(object.globalPalettes) ? object.globalPalettes.length : 0;
  return { ...object, globalPaletteIndex: clampPaletteIndex(object.globalPaletteIndex, palettes) };
}

const step = (from: number, about: string, change: Migration['change']): Migration => ({
  from,
  about,
  change,
});

export const MIGRATIONS: readonly Migration[] = [
  step(0, 'first settings', adds({ darkMode: false, showGrid: false, userFonts: [] })),
  step(1, 'introductions', adds({ chromeWarning: false, shownNewUserIntro: false, announcementNumber: 0 })),
  step(2, 'global shapes', adds({ globalShapes: [] })),
  step(3, 'sizes of image icons and PNG files', iconSize),
  step(4, 'order of images', adds({ globalSortImagesBy: 'date' })),
  step(
    5,
    'palettes',
    adds({ globalPalettes: [{ name: DEFAULT_PALETTE_NAME, paletteArray: [] }], globalPaletteIndex: 0 }),
  ),
  step(6, 'palette panel', adds({ globalPaletteVisible: false, globalPalettesExpanded: false })),
  step(7, 'zone clipboard', adds({ globalZoneClipBoard: [] })),
  step(8, 'idea generator', adds({ generators: [], promptSentences: [] })),
  step(9, 'order of layers', adds({ invertedLayoutHierarchy: false })),
  step(10, 'tutorials', adds({ tutorialData: { currentTutorial: null, namesOfTutorialsCompleted: [] } })),
  step(11, 'table scroll', adds({ useTableScroll: true, smoothTableScroll: true })),
  step(12, 'card scroll', adds({ cardScrollBehavior: 'smooth' })),
  step(13, 'tags', adds({ tags: [], activeTags: [] })),
  step(14, 'card copies', adds({ showCardCopies: true })),
  step(15, 'fonts as objects', fontObjects),
  step(16, 'text cells over their neighbours', adds({ overlayTextCells: true })),
  step(17, 'news about exporting', adds({ newExportAnnouncement: false })),
  step(18, 'highlighted variables', adds({ variableHighlight: true })),
  step(19, 'a palette that exists', clampedPalette),
];

/** Fails unless the steps lead from 0 to the present one by one. */
export function assertContiguous(migrations: readonly Migration[], to: number): void {
  migrations.forEach(({ from, about }, i) => {
    if (from !== i) throw new Error(`Migration ${i} (${about}) begins at version ${from}.`);
  });
  if (migrations.length !== to) throw new Error(`Migrations end at ${migrations.length}, not at ${to}.`);
}

assertContiguous(MIGRATIONS, USER_OBJECT_VERSION);

/** The version an object says it has: what says nothing sensible is as old as can be. */
export function versionOf(object: OldObject): number {
  const version = object.versionNum;
  return typeof version === 'number' && Number.isFinite(version) ? Math.max(0, Math.floor(version)) : 0;
}

/** Migrated object, and whether it must be written back. */
export interface Migrated {
  readonly object: UserObject;
  readonly changed: boolean;
}

/**
 * Brings any stored object to the present. One written by a newer program keeps its version and all
 * that is not understood here.
 */
export function migrateUserObject(stored: OldObject): Migrated {
  const version = versionOf(stored);
  let object: OldObject = stored;
  for (const { from, change } of MIGRATIONS) {
    if (from >= version) object = { ...change(object), versionNum: from + 1 };
  }
  return { object: repairUserObject(object), changed: version < USER_OBJECT_VERSION };
}
