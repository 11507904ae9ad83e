import { type AttributeSpec, type Mark, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { NO_CARD } from '../cards/cards-check.ts';
import { LIMITS } from '../document/limits.ts';
import {
  CALLOUT_KINDS,
  idSchema,
  LIVE_SHOWS,
  nameSchema,
  noTermsSchema,
  seenCardsSchema,
} from '../document/schema.ts';

/**
 * The document of a rulebook as it is edited. It is as strict as `core/book/document/schema.ts`: what these nodes admit can be
 * written as a `Rulebook`, and the other way round. Empty ids are given out by the editor before a step is sent.
 */

/** An attribute that a value must satisfy. */
function attribute(initial: unknown, words: string, holds: (value: unknown) => boolean): AttributeSpec {
  return {
    default: initial,
    validate: (value) => {
      if (!holds(value))
        throw new RangeError(`${words} cannot be ${String(JSON.stringify(value)).slice(0, 80)}.`);
    },
  };
}

const text = (initial: string, words: string, most: number): AttributeSpec =>
  attribute(initial, words, (value) => typeof value === 'string' && value.length <= most);
const name = (words: string): AttributeSpec =>
  attribute('?', words, (value) => nameSchema.safeParse(value).success);
const oneOf = (words: string, values: readonly (string | number)[]): AttributeSpec =>
  attribute(values[0], words, (value) => (values as readonly unknown[]).includes(value));
const within = (initial: number, words: string, least: number, most: number): AttributeSpec =>
  attribute(initial, words, (value) => typeof value === 'number' && value >= least && value <= most);
const names = (words: string, least: number, most: number): AttributeSpec =>
  attribute(
    least > 0 ? [NO_CARD] : [],
    words,
    (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      value.length <= most &&
      value.every((one) => nameSchema.safeParse(one).success),
  );
/** Id of a block; empty until the editor gives it one. */
const id = attribute('', 'An id', (value) => value === '' || idSchema.safeParse(value).success);

/** The alignment that a cell of HTML asks for. */
function alignOf({ dataset, style }: HTMLElement): 'center' | 'right' | null {
  const align = dataset['align'] ?? style.textAlign;
  return align === 'center' || align === 'right' ? align : null;
}

/** Writes a node's attributes to the clipboard, and reads them from it. */
const CLIPBOARD = 'data-rulebook';

function clipboard(tag: string, type: string, hole: boolean): Pick<NodeSpec, 'parseDOM' | 'toDOM'> {
  return {
    parseDOM: [
      {
        tag: `${tag}[data-type="${type}"]`,
        priority: 60,
        getAttrs: (element) => {
          try {
            return JSON.parse(element.getAttribute(CLIPBOARD) ?? '{}') as Record<string, unknown>;
          } catch {
            return false;
          }
        },
      },
    ],
    toDOM: ({ attrs }) => {
      const own = { 'data-type': type, [CLIPBOARD]: JSON.stringify(attrs) };
      return hole ? [tag, own, 0] : [tag, own];
    },
  };
}

/** Blocks that may stand in a list item; callouts hold tables beside them, columns also those of `inColumns`. */
const IN_ITEM = 'paragraph | list | figure | cards';
const IN_CALLOUT = `${IN_ITEM} | tableBlock`;
const IN_COLUMNS = `${IN_CALLOUT} | heading | rule | definition | live | callout`;
const INLINES = 'inline*';

const HEADINGS = [1, 2, 3, 4] as const;
const DEPTHS = [1, 2, 3] as const;

const nodes = {
  doc: {
    content: `(${IN_COLUMNS} | columns | pageBreak)+`,
    attrs: {
      noTerms: attribute(
        [],
        'The words that are not terms',
        (value) => noTermsSchema.safeParse(value).success,
      ),
    },
  },
  paragraph: {
    content: INLINES,
    attrs: { id },
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', 0],
  },
  heading: {
    content: INLINES,
    attrs: { id, level: oneOf('The level of a heading', HEADINGS) },
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level: Math.min(4, level) } })),
    toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
  },
  rule: {
    content: INLINES,
    attrs: { id, depth: oneOf('The depth of a rule', DEPTHS) },
    defining: true,
    ...clipboard('p', 'rule', true),
  },
  definition: {
    content: INLINES,
    attrs: {
      id,
      term: name('A term'),
      variants: names('The other forms of a term', 0, LIMITS.names),
      forbidden: names('The words to avoid', 0, LIMITS.names),
    },
    defining: true,
    ...clipboard('div', 'definition', true),
  },
  list: {
    content: 'listItem+',
    attrs: { id, marker: oneOf('The marker of a list', ['bullets', 'steps']) },
    parseDOM: [
      { tag: 'ul', attrs: { marker: 'bullets' } },
      { tag: 'ol', attrs: { marker: 'steps' } },
    ],
    toDOM: ({ attrs }) => [attrs.marker === 'steps' ? 'ol' : 'ul', 0],
  },
  listItem: {
    content: `(${IN_ITEM})+`,
    attrs: { id },
    defining: true,
    parseDOM: [{ tag: 'li' }],
    toDOM: () => ['li', 0],
  },
  callout: {
    content: `(${IN_CALLOUT})+`,
    attrs: {
      id,
      kind: oneOf('The kind of a callout', CALLOUT_KINDS),
      title: text('', 'The title of a callout', 200),
      seen: attribute([], 'The cards of an example', (value) => seenCardsSchema.safeParse(value).success),
    },
    defining: true,
    ...clipboard('aside', 'callout', true),
  },
  columns: {
    content: `(${IN_COLUMNS})+`,
    attrs: { id, count: oneOf('The number of columns', [2, 1, 3]) },
    defining: true,
    ...clipboard('section', 'columns', true),
  },
  /** A table with its caption. */
  tableBlock: {
    content: 'caption table',
    attrs: { id, headRows: within(1, 'The number of head rows', 0, 5) },
    isolating: true,
    ...clipboard('figure', 'table', true),
  },
  caption: {
    content: INLINES,
    isolating: true,
    parseDOM: [{ tag: 'figcaption' }],
    toDOM: () => ['figcaption', 0],
  },
  table: {
    content: 'tableRow+',
    tableRole: 'table',
    isolating: true,
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', ['tbody', 0]],
  },
  tableRow: {
    content: 'tableCell+',
    tableRole: 'row',
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  tableCell: {
    content: INLINES,
    attrs: {
      colspan: attribute(1, 'The width of a cell', (value) => value === 1),
      rowspan: attribute(1, 'The height of a cell', (value) => value === 1),
      colwidth: attribute(
        null,
        'The width of a column',
        (value) =>
          value === null ||
          (Array.isArray(value) &&
            value.length === 1 &&
            value.every((one) => Number.isFinite(one) && one >= MIN_COLUMN_PX && one <= MAX_COLUMN_PX)),
      ),
      /** Null is to the left. */
      align: attribute(
        null,
        'The alignment of a column',
        (value) => value === null || value === 'center' || value === 'right',
      ),
    },
    tableRole: 'cell',
    isolating: true,
    parseDOM: ['td', 'th'].map((tag) => ({ tag, getAttrs: (cell) => ({ align: alignOf(cell) }) })),
    toDOM: ({ attrs: { align } }) => ['td', align === null ? {} : { 'data-align': align }, 0],
  },
  figure: {
    content: INLINES,
    attrs: {
      id,
      source: name('A picture'),
      alt: text('', 'The description of a picture', LIMITS.alt),
      place: oneOf('The place of a picture', ['column', 'across', 'top']),
      width: within(1, 'The width of a picture', 0.05, 1),
    },
    isolating: true,
    ...clipboard('figure', 'figure', true),
  },
  cards: {
    content: INLINES,
    attrs: { id, names: names('Cards', 1, 20) },
    isolating: true,
    ...clipboard('figure', 'cards', true),
  },
  pageBreak: {
    attrs: { id, to: oneOf('A break', ['page', 'column', 'right']) },
    ...clipboard('hr', 'pageBreak', false),
  },
  live: {
    attrs: { id, show: oneOf('A live block', LIVE_SHOWS) },
    ...clipboard('div', 'live', false),
  },
  text: { group: 'inline' },
  break: {
    group: 'inline',
    inline: true,
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  icon: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { name: name('An icon') },
    ...clipboard('span', 'icon', false),
  },
  card: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { name: name('A card') },
    ...clipboard('span', 'card', false),
  },
  term: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: {
      definition: attribute('none', 'A definition', (value) => idSchema.safeParse(value).success),
      text: name('A term'),
    },
    ...clipboard('span', 'term', false),
  },
  reference: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: {
      block: attribute('none', 'A reference', (value) => idSchema.safeParse(value).success),
      show: oneOf('A reference', ['title', 'number', 'page']),
    },
    ...clipboard('span', 'reference', false),
  },
  value: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: {
      formula: attribute(
        '?',
        'A formula',
        (value) => typeof value === 'string' && value.length > 0 && value.length <= 1_000,
      ),
    },
    ...clipboard('span', 'value', false),
  },
} satisfies Record<string, NodeSpec>;

const isStrong = ({ type }: Mark): boolean => type.name === 'strong';
const isEmphasis = ({ type }: Mark): boolean => type.name === 'emphasis';

const marks = {
  strong: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs puts all that is copied into such an element.
      { tag: 'b', getAttrs: (element) => element.style.fontWeight !== 'normal' && null },
      {
        style: 'font-weight',
        clearMark: isStrong,
        getAttrs: (weight) => /^(?:normal|[1-4]00)$/.test(weight) && null,
      },
      { style: 'font-weight', getAttrs: (weight) => /^(?:bold|bolder|[6-9]00)$/.test(weight) && null },
    ],
    toDOM: () => ['strong', 0],
  },
  emphasis: {
    parseDOM: [
      { tag: 'em' },
      { tag: 'i', getAttrs: (element) => element.style.fontStyle !== 'normal' && null },
      { style: 'font-style=normal', clearMark: isEmphasis },
      { style: 'font-style=italic' },
    ],
    toDOM: () => ['em', 0],
  },
} satisfies Record<string, MarkSpec>;

/** Widths of a table's columns as the editor keeps them, in CSS pixels. */
export const MIN_COLUMN_PX = 25;
export const MAX_COLUMN_PX = 2_000;

export type ProseNodeName = keyof typeof nodes;

export const proseSchema = new Schema({ nodes: nodes as Record<ProseNodeName, NodeSpec>, marks });

/** Nodes that have an id of their own. */
export const hasId = (type: string): boolean =>
  'attrs' in (nodes[type as ProseNodeName] ?? {}) &&
  'id' in ((nodes[type as ProseNodeName] as NodeSpec).attrs ?? {});
