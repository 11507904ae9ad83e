import * as z from 'zod';
import { fontAxesSchema } from '../../core/scene/style/layout-font.ts';

/**
 * `users/{uid}/userData/userObject`: one person's settings. Every field has a default, and a field
 * of the wrong kind reads as its default, so that no stored object can keep somebody out. Fields
 * this version does not know are kept as they are.
 */

/** The version this code writes. */
export const USER_OBJECT_VERSION = 20;
/** Size of exported PNG files, in per cent of 96 dots per inch. */
export const DEFAULT_PNG_EXPORT_SIZE = 200;
/** Width of a picture in the image library, a CSS length. */
export const DEFAULT_IMAGE_ICON_SIZE = '66px';
export const DEFAULT_PALETTE_NAME = 'Untitled Palette';
export const DEFAULT_FONT_FORMAT = 'woff2';
/** The newest announcement. */
export const CURRENT_ANNOUNCEMENT = 4;
/** Largest export, in per cent: 600 dots per inch. */
const MAX_PNG_EXPORT_SIZE = 625;
const MIN_PNG_EXPORT_SIZE = 10;

const flag = (standard: boolean) => z.boolean().catch(standard);

/** A list without what cannot be read in it. */
const listOf = <T>(item: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.flatMap((value) => {
        const result = item.safeParse(value);
        return result.success ? [result.data] : [];
      }),
    );

/** A font the user brought along. */
export const userFontSchema = z.looseObject({
  fontFamily: z.string().min(1),
  url: z.string().catch(''),
  format: z.string().min(1).catch(DEFAULT_FONT_FORMAT),
  fontWeight: z.union([z.string(), z.number().transform(String)]).catch('normal'),
  fontStyle: z.string().catch('normal'),
  /** Of a variable font. */
  axes: fontAxesSchema.optional().catch(undefined),
});

/** A named list of CSS colours. */
export const paletteSchema = z.looseObject({
  name: z.string().catch(DEFAULT_PALETTE_NAME),
  paletteArray: listOf(z.string()),
});

const horizontal = z.enum(['left', 'center', 'right']);
const vertical = z.enum(['top', 'middle', 'bottom']);

/** One thing to do in a tutorial. */
export const tutorialStepSchema = z.object({
  /** CSS selector of what is pointed at. */
  selector: z.string().min(1),
  instruction: z.string(),
  /** Position of the instruction relative to the target. */
  position: z.object({ horizontal: horizontal.catch('center'), vertical: vertical.catch('bottom') }),
  /** The step goes on by a Next button instead of a click on its target. */
  next: z.boolean().catch(false),
  /** Draw a ring around the target. */
  highlight: z.boolean().catch(true),
  /** At this step another tutorial takes over. */
  nextTutorialName: z.string().optional(),
  /** Step of that tutorial to begin at. */
  nextTutorialStepIndex: z.number().int().min(0).optional(),
  /** Do not go to that tutorial's route. */
  noRouteNavigation: z.boolean().optional(),
});

/** A tutorial as it is kept while somebody is in it. */
export const tutorialSchema = z
  .object({
    name: z.string().min(1),
    routeName: z.string(),
    stepIndex: z.number().int().min(0),
    steps: z.array(tutorialStepSchema).min(1),
  })
  .refine(({ stepIndex, steps }) => stepIndex < steps.length);

export const tutorialDataSchema = z.looseObject({
  currentTutorial: tutorialSchema.nullable().catch(null),
  namesOfTutorialsCompleted: listOf(z.string()),
});

const json = z.array(z.unknown()).catch([]);

const fields = {
  darkMode: flag(false),
  showGrid: flag(false),
  userFonts: listOf(userFontSchema),
  globalImageIconSize: z
    .string()
    .regex(/^\d+(\.\d+)?px$/)
    .catch(DEFAULT_IMAGE_ICON_SIZE),
  globalSortImagesBy: z.string().min(1).catch('date'),
  globalPalettes: listOf(paletteSchema),
  globalPaletteIndex: z.number().catch(0),
  globalPaletteVisible: flag(false),
  globalPalettesExpanded: flag(false),
  /** Shapes saved for reuse; their inner form belongs to the layout editor. */
  globalShapes: json,
  /** Zones cut or copied in one layout, to paste in another. */
  globalZoneClipBoard: json,
  /** Word lists of the idea generator. */
  generators: json,
  /** Sentences of the idea generator, with `{list}` where a word goes. */
  promptSentences: json,
  pngExportSize: z.number().min(MIN_PNG_EXPORT_SIZE).max(MAX_PNG_EXPORT_SIZE).catch(DEFAULT_PNG_EXPORT_SIZE),
  /** The user knows that only Chrome is supported, and goes on with another browser. */
  chromeWarning: flag(false),
  shownNewUserIntro: flag(false),
  /** The newest announcement seen. */
  announcementNumber: z.number().catch(0),
  /** The user has seen what is new about exporting. */
  newExportAnnouncement: flag(false),
  /** The layer list begins with the rearmost zone. */
  invertedLayoutHierarchy: flag(false),
  tutorialData: tutorialDataSchema.catch({ currentTutorial: null, namesOfTutorialsCompleted: [] }),
  /** Scrolling the table moves the row of cards above it. */
  useTableScroll: flag(true),
  smoothTableScroll: flag(true),
  cardScrollBehavior: z.enum(['smooth', 'auto', 'instant']).catch('smooth'),
  tags: json,
  activeTags: json,
  /** The row of cards shows every copy. */
  showCardCopies: flag(true),
  /** Text cells grow over their neighbours while they are edited. */
  overlayTextCells: flag(true),
  /** Variables stand out in card text while it is edited. */
  variableHighlight: flag(true),
  versionNum: z.number(),
} as const;

const shape = z.looseObject(fields);

export type UserFont = z.infer<typeof userFontSchema>;
export type Palette = z.infer<typeof paletteSchema>;
export type TutorialStep = z.infer<typeof tutorialStepSchema>;
export type Tutorial = z.infer<typeof tutorialSchema>;
export type TutorialData = z.infer<typeof tutorialDataSchema>;
export type UserObject = z.infer<typeof shape>;
/** Names of the fields this version knows. */
export type UserObjectField = keyof typeof fields;
export const USER_OBJECT_FIELDS = Object.keys(fields) as readonly UserObjectField[];

/** The nearest palette there is. */
export function clampPaletteIndex(index: unknown, palettes: number): number {
  if (typeof index !== 'number' || !Number.isFinite(index)) return 0;
  return Math.min(Math.max(0, Math.trunc(index)), Math.max(0, palettes - 1));
}

/** A valid object of any stored one: what cannot be read gives way to its default. */
export function repairUserObject(stored: Readonly<Record<string, unknown>>): UserObject {
  const object = shape.parse({ versionNum: USER_OBJECT_VERSION, ...stored });
  const globalPalettes =
    object.globalPalettes.length > 0
      ? object.globalPalettes
      : [{ name: DEFAULT_PALETTE_NAME, paletteArray: [] }];
  return {
    ...object,
    globalPalettes,
    globalPaletteIndex: clampPaletteIndex(object.globalPaletteIndex, globalPalettes.length),
  };
}

/** The settings of somebody who has just come: nothing was announced to them before they were here. */
export function defaultUserObject(): UserObject {
  return repairUserObject({ announcementNumber: CURRENT_ANNOUNCEMENT, versionNum: USER_OBJECT_VERSION });
}
