import * as z from 'zod';
import { noTermsSchema } from '../book/document/schema.ts';
import { isCardUnit, renamedUnit } from '../translation/cards/unit-ids.ts';
import { MAX_LANGUAGES, MAX_TAG } from '../translation/languages.ts';
import { MAX_UNIT } from '../translation/pieces.ts';
import type { FontEntry } from './fonts.ts';

/** JSON of an archive, and of documents once their times are numbers. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const object = z.record(z.string(), z.json());

/** A language tag as it is stored, in small letters. */
export const tagSchema = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/)
  .max(MAX_TAG);

const COVER = '#a8361c';
/** Colour of a project's box, or '' for none. It is put into a style, where other CSS could load a picture. */
export const coverColourSchema = z
  .string()
  .regex(/^(?:#[0-9a-f]{3,8})?$/i)
  .catch(COVER)
  .default(COVER);

/** A project's own fields. */
export const projectFactsSchema = z.object({
  name: z.string().min(1),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  coverColor: coverColourSchema,
  cover: z.enum(['colour', 'card']).catch('colour').default('colour'),
  /** Language of the cards' own words; English where none is said. */
  language: tagSchema.optional().catch(undefined),
});
export type ProjectFacts = z.infer<typeof projectFactsSchema>;

export const commentEntrySchema = z.object({
  component: z.string().max(200),
  card: z.string().max(200),
  authorName: z.string().max(500).default(''),
  text: z.string().max(4_000),
  /** Milliseconds since 1970. */
  createdAt: z.number().default(0),
  resolved: z.boolean().default(false),
});
export type CommentEntry = z.infer<typeof commentEntrySchema>;

export const presetEntrySchema = z.object({ name: z.string(), settings: object });
export interface PresetEntry extends z.infer<typeof presetEntrySchema> {
  /** Its id in the project that it was read from. Files do not have it. */
  readonly id?: string | undefined;
}

/** A print run: the fingerprint of each printed card, by its id. */
export const runEntrySchema = z.object({
  number: z.number().int().min(1),
  /** Milliseconds since 1970. */
  at: z.number().default(0),
  what: z.string().default(''),
  cards: z.number().default(0),
  /** Tag of the language that was printed; none for the cards' own words. */
  language: tagSchema.optional(),
  marks: z.string(),
  /** Name of the version that was printed. Its id means nothing elsewhere. */
  versionName: z.string().max(200).optional().catch(undefined),
});
export type RunEntry = z.infer<typeof runEntrySchema>;

const textEntrySchema = z.object({
  source: z.string().min(1).max(MAX_UNIT),
  text: z.string().min(1).max(MAX_UNIT),
});

/** A translation of a rulebook: a text and the source that it was made from, by the ids of `core/book/translation`. */
const translationEntrySchema = z.object({
  language: tagSchema,
  units: z.record(z.string().regex(/^[A-Za-z0-9_-]{0,40}\.[a-z0-9]{1,20}$/), textEntrySchema),
});

/** A translation of the cards, by the ids of `core/translation/cards`. */
export const cardTranslationSchema = z.object({
  language: tagSchema,
  units: z.record(z.string().refine(isCardUnit), textEntrySchema),
});
export type TranslationEntry = z.infer<typeof translationEntrySchema>;

/** A rulebook: its text as blocks of `core/book/document/schema.ts`. */
export const rulebookEntrySchema = z.object({
  title: z.string().min(1).max(200),
  subtitle: z.string().max(300).default(''),
  language: z.string().max(40).default('en-gb'),
  format: z.string().max(40).default(''),
  style: z.string().max(40).default(''),
  noTerms: noTermsSchema.optional(),
  translations: z.array(translationEntrySchema).max(MAX_LANGUAGES).optional(),
  blocks: z.array(z.json()),
});
export interface RulebookEntry extends z.infer<typeof rulebookEntrySchema> {
  /** Its id in the project that it was read from. Files do not have it. */
  readonly id?: string | undefined;
}

/** A card; other fields of its document are in `more`. */
export interface CardEntry {
  readonly id: string;
  readonly copies: number;
  readonly status?: string | undefined;
  readonly cells: Readonly<Record<string, string>>;
  readonly more?: JsonObject | undefined;
}

/** A component: the fields of its document, and its cards in their order. */
export interface ComponentEntry {
  readonly id: string;
  readonly fields: JsonObject;
  readonly cards: readonly CardEntry[];
}

/** A layout, with the name that components of the same bundle use for it. */
export interface LayoutEntry {
  readonly key: string;
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  readonly scene: JsonObject;
  /** The layout that it follows: `layout` is the key of one in the same bundle, unless `project` or `library` says where it lies. */
  readonly follows?: JsonObject | undefined;
}

/** An image, with the name that cards use for it. */
export interface ImageEntry {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its metadata: tags, licence, credit. */
  readonly facts: JsonObject;
}

/** A whole project outside the database, for copies and files. */
export interface ProjectBundle {
  readonly project: ProjectFacts;
  /** Markdown. */
  readonly notes: string;
  readonly components: readonly ComponentEntry[];
  readonly layouts: readonly LayoutEntry[];
  readonly comments: readonly CommentEntry[];
  readonly presets: readonly PresetEntry[];
  readonly runs: readonly RunEntry[];
  readonly rulebooks: readonly RulebookEntry[];
  /** Translations of the cards; texts of layouts are named by the layouts' keys. */
  readonly languages?: readonly TranslationEntry[] | undefined;
  readonly images: readonly ImageEntry[];
  /** Files of fonts that layouts name. */
  readonly fonts?: readonly FontEntry[];
}

/** Translations whose layouts have other names; those of a layout for which `rename` answers `null` are left out. */
export const renamedUnits = (
  units: TranslationEntry['units'],
  rename: (layout: string) => string | null,
): TranslationEntry['units'] =>
  Object.fromEntries(
    Object.entries(units).flatMap(([id, entry]) => {
      const renamed = renamedUnit(id, rename);
      return renamed === undefined || !isCardUnit(renamed) ? [] : [[renamed, entry] as const];
    }),
  );

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of a component that name layouts: single ones, and several by the value of a column. */
const SINGLE = ['layoutId', 'backLayoutId'] as const;
const BY_COLUMN = ['frontBy', 'backBy'] as const;

/** A component's fields with every layout renamed, keys in a fixed order; `null` removes the layout. */
export function renameLayouts(fields: JsonObject, rename: (key: string) => string | null): JsonObject {
  const next: Record<string, Json> = { ...fields };
  for (const name of SINGLE) {
    const key = next[name];
    if (typeof key === 'string') next[name] = rename(key);
  }
  for (const name of BY_COLUMN) {
    const by = next[name];
    if (!isObject(by) || !isObject(by.layouts)) continue;
    const values = Object.entries(by.layouts).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const layouts = values.flatMap(([value, key]) => {
      const renamed = typeof key === 'string' ? rename(key) : null;
      return renamed === null ? [] : [[value, renamed] as const];
    });
    next[name] = { ...by, layouts: Object.fromEntries(layouts) };
  }
  return next;
}

/** The followed layout, renamed if it is in the same bundle; `null` from `rename` is followed no more. */
export function renameFollowed(
  follows: JsonObject,
  rename: (key: string) => string | null,
): JsonObject | undefined {
  const { layout, project, library } = follows;
  if (project !== undefined || library !== undefined) return follows;
  const renamed = typeof layout === 'string' ? rename(layout) : null;
  return renamed === null ? undefined : { ...follows, layout: renamed };
}

/** Layouts that a component names, in the order of their first use. */
export function layoutsOf(fields: JsonObject): string[] {
  const found = new Set<string>();
  renameLayouts(fields, (key) => {
    found.add(key);
    return key;
  });
  return [...found];
}
