import * as z from 'zod';
import { RulebookError } from './error.ts';
import { LIMITS } from './limits.ts';

/**
 * The document of a rulebook. Every node has a `type` and its own fields, as nodes of an editor have attributes and
 * content, so that either form can be written as the other without loss. Blocks have ids that stay the same while they
 * are edited: comments, translations, references and look-ups name them.
 */
export const RULEBOOK_VERSION = 1;

export const idSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, 'is not an id: use letters, digits, - and _, at most 40');
export const nameSchema = z.string().min(1).max(LIMITS.title);
/** A language tag, such as `en-gb`. */
export const languageSchema = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'is not a language tag, such as en-gb');

export const MARKS = ['strong', 'emphasis'] as const;
export type Mark = (typeof MARKS)[number];

const inlineSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.string().min(1).max(LIMITS.text),
    marks: z.array(z.enum(MARKS)).max(MARKS.length).optional(),
  }),
  z.strictObject({ type: z.literal('break') }),
  /** An icon of the project, by its name. */
  z.strictObject({ type: z.literal('icon'), name: nameSchema }),
  /** A card of the project, by its name. */
  z.strictObject({ type: z.literal('card'), name: nameSchema }),
  /** A use of a defined term: `definition` is the id of its block. */
  z.strictObject({ type: z.literal('term'), definition: idSchema, text: nameSchema }),
  /** A reference to a block, shown as its number, its title or its page. */
  z.strictObject({
    type: z.literal('reference'),
    block: idSchema,
    show: z.enum(['number', 'title', 'page']),
  }),
  /** A value of the project by a formula, such as `count(Cards)`. */
  z.strictObject({ type: z.literal('value'), formula: z.string().min(1).max(LIMITS.formula) }),
]);

export type Inline = z.infer<typeof inlineSchema>;
export type InlineOf<Type extends Inline['type']> = Extract<Inline, { type: Type }>;

const inlines = z.array(inlineSchema).max(LIMITS.inlines);
const plain = { id: idSchema, content: inlines };

const headingSchema = z.strictObject({
  type: z.literal('heading'),
  ...plain,
  level: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
});
const paragraphSchema = z.strictObject({ type: z.literal('paragraph'), ...plain });
/** A numbered rule: depth 1 is `3.1` below chapter 3, depth 2 is `3.1.1`. */
export const ruleSchema = z.strictObject({
  type: z.literal('rule'),
  ...plain,
  depth: z.union([z.literal(1), z.literal(2), z.literal(3)]),
});
const definitionSchema = z.strictObject({
  type: z.literal('definition'),
  ...plain,
  term: nameSchema,
  /** Other forms of the term, such as its plural. */
  variants: z.array(nameSchema).max(LIMITS.names),
  /** Words that must not be used for it. */
  forbidden: z.array(nameSchema).max(LIMITS.names),
});
/** Sides to which the text of a column is aligned. */
export const ALIGNMENTS = ['left', 'center', 'right'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];
export const tableSchema = z.strictObject({
  type: z.literal('table'),
  id: idSchema,
  caption: inlines,
  /** Rows at the top that are repeated after each break. */
  headRows: z.number().int().min(0).max(5),
  /** Widths of the columns as shares of each other; equal when left out. */
  widths: z.array(z.number().min(0.05).max(100)).max(LIMITS.cells).optional(),
  /** Alignment of each column; all are to the left when it is left out. */
  align: z.array(z.enum(ALIGNMENTS)).max(LIMITS.cells).optional(),
  rows: z.array(z.array(inlines).min(1).max(LIMITS.cells)).min(1).max(LIMITS.rows),
});
export const figureSchema = z.strictObject({
  type: z.literal('figure'),
  id: idSchema,
  source: nameSchema,
  alt: z.string().max(LIMITS.alt),
  caption: inlines,
  /** In the column, across all columns, or at the top of the next column. */
  place: z.enum(['column', 'across', 'top']),
  /** Share of the available width. */
  width: z.number().min(0.05).max(1),
});
/** Cards of the project side by side. */
export const cardsSchema = z.strictObject({
  type: z.literal('cards'),
  id: idSchema,
  names: z.array(nameSchema).min(1).max(20),
  caption: inlines,
});
export const pageBreakSchema = z.strictObject({
  type: z.literal('pageBreak'),
  id: idSchema,
  to: z.enum(['column', 'page', 'right']),
});
export const LIVE_SHOWS = ['contents', 'glossary', 'index', 'components', 'icons', 'setup'] as const;
/** A block made from the document or the project. */
export const liveSchema = z.strictObject({
  type: z.literal('live'),
  id: idSchema,
  show: z.enum(LIVE_SHOWS),
});

/** A card by its name, and its text when an example was last written. */
const seenCardSchema = z.strictObject({ name: nameSchema, text: z.string().max(LIMITS.seenText) });
export type SeenCard = z.infer<typeof seenCardSchema>;
export const seenCardsSchema = z.array(seenCardSchema).max(LIMITS.seenCards);

export const CALLOUT_KINDS = ['note', 'example', 'important', 'variant', 'faq'] as const;
export type CalloutKind = (typeof CALLOUT_KINDS)[number];

export type Heading = z.infer<typeof headingSchema>;
export type Definition = z.infer<typeof definitionSchema>;
export type Table = z.infer<typeof tableSchema>;
export type Figure = z.infer<typeof figureSchema>;
export type Cards = z.infer<typeof cardsSchema>;
export type Live = z.infer<typeof liveSchema>;
type Leaf =
  | Heading
  | z.infer<typeof paragraphSchema>
  | z.infer<typeof ruleSchema>
  | Definition
  | Table
  | Figure
  | Cards
  | Live
  | z.infer<typeof pageBreakSchema>;

export interface List {
  readonly type: 'list';
  readonly id: string;
  /** Steps are numbered. */
  readonly marker: 'bullets' | 'steps';
  readonly items: readonly ListItem[];
}

export interface ListItem {
  readonly id: string;
  readonly blocks: readonly Block[];
}

export interface Callout {
  readonly type: 'callout';
  readonly id: string;
  readonly kind: CalloutKind;
  /** Empty for the usual title of its kind. */
  readonly title: string;
  /** Of an example: the cards in it, as they were when it was last written. */
  readonly seen?: readonly SeenCard[] | undefined;
  readonly blocks: readonly Block[];
}

/** Blocks set in a number of columns of their own. */
export interface Columns {
  readonly type: 'columns';
  readonly id: string;
  readonly count: 1 | 2 | 3;
  readonly blocks: readonly Block[];
}

export type Block = Leaf | List | Callout | Columns;
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

const blocks: z.ZodType<readonly Block[]> = z.lazy(() => z.array(blockSchema).max(LIMITS.blocks));
const itemSchema = z.strictObject({ id: idSchema, blocks });
const blockSchema = z.discriminatedUnion('type', [
  headingSchema,
  paragraphSchema,
  ruleSchema,
  definitionSchema,
  tableSchema,
  figureSchema,
  cardsSchema,
  pageBreakSchema,
  liveSchema,
  z.strictObject({
    type: z.literal('list'),
    id: idSchema,
    marker: z.enum(['bullets', 'steps']),
    items: z.array(itemSchema).min(1).max(LIMITS.listItems),
  }),
  z.strictObject({
    type: z.literal('callout'),
    id: idSchema,
    kind: z.enum(CALLOUT_KINDS),
    title: z.string().max(LIMITS.title),
    seen: seenCardsSchema.optional(),
    blocks,
  }),
  z.strictObject({
    type: z.literal('columns'),
    id: idSchema,
    count: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    blocks,
  }),
]);

/** Words that are no term, whatever definitions or cards say. */
export const noTermSchema = z.strictObject({
  words: nameSchema,
  /** Id of a block, `COMPONENT/CARD` for a card, or empty for the whole rulebook. */
  at: z.string().max(LIMITS.title),
});
export type NoTerm = z.infer<typeof noTermSchema>;
export const noTermsSchema = z.array(noTermSchema).max(LIMITS.noTerms);

const rulebookSchema = z.strictObject({
  version: z.literal(RULEBOOK_VERSION),
  title: z.string().min(1).max(LIMITS.title),
  subtitle: z.string().max(LIMITS.subtitle),
  /** Language of the text; words are hyphenated by its rules. */
  language: languageSchema,
  noTerms: noTermsSchema.optional(),
  blocks,
});

export interface Rulebook {
  readonly version: typeof RULEBOOK_VERSION;
  readonly title: string;
  readonly subtitle: string;
  readonly language: string;
  readonly noTerms?: readonly NoTerm[] | undefined;
  readonly blocks: readonly Block[];
}

/** Blocks that may not stand inside a list item, a callout or columns. */
export const TOP_LEVEL_ONLY: Readonly<Record<'item' | 'callout' | 'columns', readonly Block['type'][]>> = {
  item: ['heading', 'columns', 'pageBreak', 'live', 'callout', 'table', 'definition', 'rule'],
  callout: ['heading', 'columns', 'pageBreak', 'live', 'callout', 'definition', 'rule'],
  columns: ['columns', 'pageBreak'],
};

/**
 * Reads a document as it was stored or sent.
 * @throws RulebookError naming the first fault and its place
 */
export function parseRulebook(value: unknown): Rulebook {
  // Before the schema descends: a document nested without end would exhaust the stack.
  checkDepth(value);
  const result = rulebookSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    const { words, block } = placeOf(issue?.path ?? [], value);
    throw new RulebookError(`${words}: ${issue?.message ?? 'is not a rulebook'}.`, { block });
  }
  checkBlocks(result.data.blocks);
  return result.data;
}

/** Containers nest list, item, blocks: four levels of JSON for one of blocks. */
const JSON_LEVELS_PER_BLOCK = 4;

function checkDepth(value: unknown): void {
  const most = (LIMITS.depth + 1) * JSON_LEVELS_PER_BLOCK;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most)
      throw new RulebookError(`The rulebook is nested more than ${LIMITS.depth} blocks deep.`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

function checkBlocks(all: readonly Block[]): void {
  const seen = new Set<string>();
  let count = 0;
  const id = (one: { readonly id: string }, words: string): void => {
    if (seen.has(one.id)) {
      const message = `The id ${one.id} of ${words} is used twice: each block needs its own.`;
      throw new RulebookError(message, { block: one.id });
    }
    seen.add(one.id);
  };
  const visit = (list: readonly Block[], depth: number, inside: keyof typeof TOP_LEVEL_ONLY | null): void => {
    if (depth > LIMITS.depth) {
      throw new RulebookError(`The rulebook is nested more than ${LIMITS.depth} blocks deep.`);
    }
    for (const block of list) {
      count++;
      if (count > LIMITS.blocks) throw new RulebookError(`A rulebook has at most ${LIMITS.blocks} blocks.`);
      id(block, `a ${block.type}`);
      if (inside && TOP_LEVEL_ONLY[inside].includes(block.type)) {
        throw new RulebookError(
          `The ${block.type} ${block.id} cannot stand inside a ${inside}: move it out of there.`,
          { block: block.id },
        );
      }
      if (block.type === 'table') checkTable(block);
      if (block.type === 'callout' || block.type === 'columns') visit(block.blocks, depth + 1, block.type);
      if (block.type !== 'list') continue;
      for (const item of block.items) {
        id(item, 'a list item');
        visit(item.blocks, depth + 1, 'item');
      }
    }
  };
  visit(all, 1, null);
}

function checkTable({ id, rows, headRows, widths, align }: Table): void {
  const cells = rows[0]?.length ?? 0;
  const at = { block: id };
  const odd = rows.findIndex((row) => row.length !== cells);
  if (odd >= 0) {
    throw new RulebookError(
      `Row ${odd + 1} of the table ${id} has ${rows[odd]?.length} cells and the first row has ${cells}.`,
      at,
    );
  }
  if (headRows > rows.length) {
    throw new RulebookError(
      `The table ${id} has ${rows.length} rows, so it cannot have ${headRows} head rows.`,
      at,
    );
  }
  if (widths && widths.length !== cells) {
    throw new RulebookError(`The table ${id} has ${cells} columns and ${widths.length} widths.`, at);
  }
  if (align && align.length !== cells) {
    throw new RulebookError(`The table ${id} has ${cells} columns and ${align.length} alignments.`, at);
  }
}

/** A place in words, the innermost block and the field in it; and the id of that block. */
function placeOf(path: readonly PropertyKey[], value: unknown): { words: string; block: string | undefined } {
  let at: unknown = value;
  let place = 'The rulebook';
  let block: string | undefined;
  let field: PropertyKey[] = [];
  for (const key of path) {
    at = typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined;
    field.push(key);
    const { type, id } = (at ?? {}) as { type?: unknown; id?: unknown };
    if (typeof id !== 'string') continue;
    place = `The ${typeof type === 'string' ? type : 'item'} ${id}`;
    block = id;
    field = [];
  }
  return { words: field.length > 0 ? `${place}, ${field.join('.')}` : place, block };
}
