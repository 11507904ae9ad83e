import * as z from 'zod';
import { coverColourSchema } from '../../core/archive/bundle.ts';
import { printSettingsSchema } from '../../core/imposition/settings.ts';
import { bareRecord } from '../../core/records.ts';
import { cardSizeSchema, layoutSchema } from '../../core/scene/layout.ts';
import { withoutTurns } from '../../core/text/names.ts';
import { timeSchema } from './time-schema.ts';

/** Most cards of one component: twice as many as a file brings. */
export const MAX_CARDS = 10_000;
/** Longest name of a project, component or layout. */
export const MAX_NAME_LENGTH = 120;
/** Longest description of a project. */
export const MAX_DESCRIPTION_LENGTH = 2_000;
/** Most copies of one card in an export. */
export const MAX_COPIES = 999;

/** Kinds of components. Sizes for each are in `core/scene/kinds.ts`. */
export const COMPONENT_KINDS = ['cards', 'tokens', 'tiles', 'dice', 'boards', 'mats', 'documents'] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

/** Time that a project stays in the trash, in days. */
export const TRASH_DAYS = 30;
/** Most tags of a project, and the longest of them. */
export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 40;

/** Roles in a project, from most to fewest rights. */
export const ROLES = ['owner', 'editor', 'translator', 'commenter', 'viewer', 'playtester'] as const;
export type Role = (typeof ROLES)[number];

/** Texts by keys that people choose; inherits nothing, so that a column may be called `constructor`. */
const textsSchema = z.record(z.string(), z.string()).transform((texts) => bareRecord(Object.entries(texts)));

/** A name that people chose; what is read of it turns no text around it. */
export const nameSchema = z.string().transform(withoutTurns);

const namesSchema = z.record(z.string(), nameSchema).transform((names) => bareRecord(Object.entries(names)));

/** A version of another project. */
const branchSchema = z.object({
  project: z.string(),
  version: z.string(),
  /** Name of the project, and the version's. */
  name: nameSchema.catch('').default(''),
  versionName: nameSchema.catch('').default(''),
});

export const projectSchema = z.object({
  name: nameSchema,
  description: z.string().default(''),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  /** CSS colour of the project's box. */
  coverColor: coverColourSchema,
  /** Cover of the box: its colour, or the first card. */
  cover: z.enum(['colour', 'card']).catch('colour').default('colour'),
  tags: z.array(z.string()).catch([]).default([]),
  /** Language of the cards' own words; empty for English. */
  language: z.string().catch('').default(''),
  archived: z.boolean().catch(false).default(false),
  /** When it was put in the trash; 0 while it is not there. */
  trashedAt: timeSchema,
  /** Account that owns it: its limits count. An opened version has none. */
  owner: z.string().default(''),
  /** Role by user id, the owner's too. Written by the server alone, once it is made. */
  members: textsSchema.catch({}).default({}),
  /** Others work on it, or once did. Written by the server alone. */
  shared: z.boolean().catch(false).default(false),
  /** Names of the members and the owner. */
  people: namesSchema.catch({}).default({}),
  /** Languages of each translator. Written by the server alone. */
  translates: z.record(z.string(), z.array(z.string())).catch({}).default({}),
  /** Project that it is an opened version of, with that version's name and number; see `data/versions`. */
  frozenOf: z.string().optional().catch(undefined),
  versionName: nameSchema.optional().catch(undefined),
  versionNumber: z.number().optional().catch(undefined),
  frozenAt: timeSchema.optional(),
  /** Version of another project that it began as. */
  from: branchSchema.optional().catch(undefined),
});

/** Types of columns. Every cell is stored as text. */
export const COLUMN_TYPES = [
  'text',
  'number',
  'bool',
  'image',
  'colour',
  'list',
  'formula',
  'style',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Progress of a card, in its usual order. */
export const CARD_STATUSES = ['idea', 'draft', 'review', 'final', 'cut'] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

export const columnSchema = z.object({
  /** Key of the cells; never changes. */
  key: z.string().min(1),
  /** Display name. */
  name: z.string(),
  type: z.enum(COLUMN_TYPES).catch('text'),
  /** Width in the table, in CSS pixels. */
  width: z.number().optional(),
  /** Translated or not; where nothing is said, texts that a card's text zones show are. */
  translate: z.boolean().optional().catch(undefined),
  /** Left out of the table; the cards still use it. */
  hidden: z.boolean().optional(),
  /** Stays in view at the table's left edge. */
  frozen: z.boolean().optional(),
  /** Formula that computes the column's cells. */
  formula: z.string().optional(),
  /** Options of a list column. */
  options: z.array(z.string()).optional(),
});

/** Looks at an address that a table follows no more often than this, and at least this often, in minutes. */
export const MIN_SYNC_MINUTES = 1;
export const MAX_SYNC_MINUTES = 24 * 60;

/** Minutes between looks at an address, within their bounds: timers that overflow fire at once. 0 is never. */
const syncMinutes = (minutes: number): number =>
  minutes > 0 ? Math.min(MAX_SYNC_MINUTES, Math.max(MIN_SYNC_MINUTES, minutes)) : 0;

/** A table that follows an address: a published sheet or any CSV file. */
export const sourceSchema = z.object({
  url: z.string(),
  /** Column of the table that says which card a row is; `null` matches by likeness. */
  idColumn: z.string().nullable().default(null),
  /** Cards whose row is gone are deleted too. */
  mirror: z.boolean().default(false),
  /** Minutes between looks at the address while the table is open; 0 is on demand only. */
  everyMinutes: z.number().catch(0).default(0).transform(syncMinutes),
  /** When it was last taken over, in milliseconds since 1970; 0 is never. */
  syncedAt: z.number().default(0),
});

/** Layout of a card by its cell in a column; cards with other values have the component's own layout. */
export const layoutChoiceSchema = z.object({
  /** Key of the column. */
  column: z.string(),
  /** Layout by the text of the cell. */
  layouts: textsSchema,
});

export const componentSchema = z.object({
  name: nameSchema,
  kind: z.enum(COMPONENT_KINDS),
  /** Size of layouts that are started for it. */
  size: cardSizeSchema.optional().catch(undefined),
  layoutId: z.string().nullable().default(null),
  /** Layout of the cards' backs. */
  backLayoutId: z.string().nullable().default(null),
  /** Fronts and backs that differ from card to card. */
  frontBy: layoutChoiceSchema.nullish().catch(undefined),
  backBy: layoutChoiceSchema.nullish().catch(undefined),
  columns: z.array(columnSchema),
  /** Key of the column that says how many of each card there are. */
  copiesColumn: z.string().optional(),
  /** Key of the column that says which card a row of another table is. */
  idColumn: z.string().optional(),
  source: sourceSchema.optional().catch(undefined),
  order: z.number(),
  cardCount: z.number().default(0),
});

export const cardSchema = z.object({
  order: z.number(),
  copies: z.number().int().min(0).max(MAX_COPIES).catch(1),
  cells: textsSchema,
  status: z.enum(CARD_STATUSES).optional().catch(undefined),
});

/** A remark on a card of a component, or on a block of a rulebook. */
export const commentSchema = z.object({
  authorId: z.string(),
  authorName: nameSchema.default(''),
  component: z.string().default(''),
  card: z.string().default(''),
  rulebook: z.string().default(''),
  block: z.string().default(''),
  text: z.string(),
  createdAt: timeSchema,
  resolved: z.boolean().default(false),
});

/** Cursor of a person in a table or a text. Its age tells whether they are still there. */
export const presenceSchema = z.object({
  name: nameSchema.default(''),
  /** Place in the list of cursor colours. */
  hue: z.number().int().min(0).catch(0),
  card: z.string().nullable().default(null),
  column: z.string().nullable().default(null),
  block: z.string().nullable().default(null),
  offset: z.number().int().min(0).catch(0),
  /** Zones selected in a layout. */
  zones: z.array(z.string()).catch([]),
  /** Pointer on the card of a layout, in millimetres from its trimmed corner. */
  x: z.number().nullable().catch(null),
  y: z.number().nullable().catch(null),
  editing: z.boolean().default(false),
  at: timeSchema,
});

/** The layout that another was made from and follows. */
export const followsSchema = z.object({
  layout: z.string(),
  /** Id of the project that has it, if it does not lie beside the other. */
  project: z.string().optional(),
  /** Account whose library has it, if it does not lie beside the other. */
  library: z.string().optional(),
  /** Its scene when its changes were last taken over. */
  scene: layoutSchema,
});

export const layoutDocumentSchema = z.object({
  name: nameSchema,
  version: z.number(),
  /** One more with every save, so that editors know old news from new. */
  revision: z.number().int().min(0).catch(0).default(0),
  updatedAt: timeSchema,
  /** Whoever is signed in and has the link may look at it. */
  shared: z.boolean().catch(false).default(false),
  tags: z.array(z.string()).catch([]).default([]),
  follows: followsSchema.nullable().catch(null).default(null),
  scene: layoutSchema,
});

/** A layout as it was. One without a name was kept by itself. */
export const layoutVersionSchema = z.object({
  name: nameSchema.default(''),
  at: timeSchema,
  scene: layoutSchema,
});

/** Every layout that a component names. */
export function usedLayouts(component: Component): string[] {
  const { layoutId, backLayoutId, frontBy, backBy } = component;
  return [
    layoutId,
    backLayoutId,
    ...Object.values(frontBy?.layouts ?? {}),
    ...Object.values(backBy?.layouts ?? {}),
  ].filter((id) => id !== null);
}

/** Print settings that a project keeps under a name. */
export const printPresetSchema = z.object({
  name: z.string(),
  settings: printSettingsSchema,
  updatedAt: timeSchema,
});

/** A print: which cards, and how they looked. */
export const printRunSchema = z.object({
  number: z.number().int().min(1),
  at: timeSchema,
  /** Description of what was printed. */
  what: z.string().default(''),
  cards: z.number().default(0),
  /** Tag of the language that the cards were translated into; none for their own words. */
  language: z.string().optional(),
  /** See `core/imposition/job/print-runs.ts`. */
  marks: z.string(),
  /** The version of the game that was printed, and its name then; older prints do not say it. */
  version: z.string().optional().catch(undefined),
  versionName: z.string().optional().catch(undefined),
});

/** A rulebook without its text, which lies in its steps. */
export const rulebookSchema = z.object({
  title: nameSchema,
  subtitle: nameSchema.default(''),
  /** Language of the text, such as `en-gb`. */
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .catch('en-gb'),
  /** Page format and house style by their ids in `core/book`. */
  format: z.string().default(''),
  style: z.string().default(''),
  order: z.number().default(0),
  /** Public link of what is published of it; empty for none. */
  link: z.string().catch('').default(''),
  /** Number of the last step. */
  head: z.number().int().min(0).catch(0),
  updatedAt: timeSchema,
  /** When it was deleted, in milliseconds since 1970; 0 while it is not. */
  deletedAt: z.number().catch(0).default(0),
});

/** A step of a rulebook's text: what one window changed together. See `core/book/prose/steps.ts`. */
export const rulebookStepSchema = z.object({
  client: z.string().catch(''),
  by: z.string().catch(''),
  at: timeSchema,
  s: z.string().catch(''),
});

/** The text of a rulebook as a step left it. */
export const rulebookVersionSchema = z.object({
  name: z.string().catch(''),
  by: z.string().catch(''),
  at: timeSchema,
  hash: z.string(),
  doc: z.string(),
});

/** A document with its id. */
export type WithId<T> = T & { readonly id: string };
export type Branch = z.infer<typeof branchSchema>;
export type ProjectDocument = z.infer<typeof projectSchema>;
export type TableColumn = z.infer<typeof columnSchema>;
export type TableSource = z.infer<typeof sourceSchema>;
export type Remark = z.infer<typeof commentSchema>;
export type LayoutChoice = z.infer<typeof layoutChoiceSchema>;
export type Presence = z.infer<typeof presenceSchema>;
export type Component = z.infer<typeof componentSchema>;
export type Card = z.infer<typeof cardSchema>;
export type PrintPreset = z.infer<typeof printPresetSchema>;
export type PrintRunDocument = z.infer<typeof printRunSchema>;
export type RulebookDocument = z.infer<typeof rulebookSchema>;
export type LayoutVersion = z.infer<typeof layoutVersionSchema>;
export type Follows = z.infer<typeof followsSchema>;
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
