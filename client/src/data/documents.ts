import * as z from 'zod';
import { printSettingsSchema } from '../core/imposition/settings.ts';
import { layoutSchema } from '../core/scene/zone.ts';

/** Longest name of a project, component or layout. */
export const MAX_NAME_LENGTH = 120;
/** Longest description of a project. */
export const MAX_DESCRIPTION_LENGTH = 2_000;
/** Most copies of one card in an export. */
export const MAX_COPIES = 999;

/** A server timestamp, as milliseconds since 1970; 0 while the server has not set it. */
const time = z.preprocess((value) => {
  const stamp = value as { toMillis?: () => number } | null | undefined;
  return typeof stamp?.toMillis === 'function' ? stamp.toMillis() : typeof value === 'number' ? value : 0;
}, z.number());

export const deckSchema = z.object({
  name: z.string(),
  description: z.string().default(''),
  createdAt: time,
  updatedAt: time,
  /** CSS colour of the project's box. */
  coverColor: z.string().default('#a8361c'),
});

export const columnSchema = z.object({
  /** Key of the cells; never changes. */
  key: z.string().min(1),
  /** What the designer calls it. */
  name: z.string(),
  type: z.enum(['text', 'number', 'image']).catch('text'),
});

export const componentSchema = z.object({
  name: z.string(),
  kind: z.literal('cards'),
  layoutId: z.string().nullable().default(null),
  /** Layout of the cards' backs. */
  backLayoutId: z.string().nullable().default(null),
  columns: z.array(columnSchema),
  /** Key of the column that says how many of each card there are. */
  copiesColumn: z.string().optional(),
  order: z.number(),
  cardCount: z.number().default(0),
});

export const cardSchema = z.object({
  order: z.number(),
  copies: z.number().int().min(0).max(MAX_COPIES).catch(1),
  cells: z.record(z.string(), z.string()),
});

export const layoutDocumentSchema = z.object({
  name: z.string(),
  version: z.number(),
  updatedAt: time,
  /** Whoever is signed in and has the link may look at it. */
  shared: z.boolean().catch(false).default(false),
  scene: layoutSchema,
});

/** Print settings that a project keeps under a name. */
export const printPresetSchema = z.object({
  name: z.string(),
  settings: printSettingsSchema,
  updatedAt: time,
});

/** A print: which cards, and how they looked. */
export const printRunSchema = z.object({
  number: z.number().int().min(1),
  at: time,
  /** What was printed, in words. */
  what: z.string().default(''),
  cards: z.number().default(0),
  /** See `core/imposition/print-runs.ts`. */
  marks: z.string(),
});

/** A document with its id. */
export type WithId<T> = T & { readonly id: string };
export type Deck = z.infer<typeof deckSchema>;
export type TableColumn = z.infer<typeof columnSchema>;
export type Component = z.infer<typeof componentSchema>;
export type Card = z.infer<typeof cardSchema>;
export type PrintPreset = z.infer<typeof printPresetSchema>;
export type PrintRunDocument = z.infer<typeof printRunSchema>;
export type LayoutDocument = z.infer<typeof layoutDocumentSchema>;

/** A stored document does not have the shape this version understands. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/** Reads a stored document; the error names the document and the first thing wrong. */
export function readDocument<T>(schema: z.ZodType<T>, path: string, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UnreadableDocument(
    `${path} cannot be read: ${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'unknown shape'}`,
  );
}
