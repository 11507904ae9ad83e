import type { Mark as ProseMark, Node as ProseNode } from 'prosemirror-model';
import {
  type Alignment,
  type Block,
  type Inline,
  type ListItem,
  MARKS,
  type Mark,
  type NoTerm,
  parseRulebook,
  RULEBOOK_VERSION,
  type Rulebook,
  type Table,
} from '../document/schema.ts';
import { MAX_COLUMN_PX, MIN_COLUMN_PX, proseSchema } from './schema.ts';

/** A rulebook without its blocks: what the stored document says of it. */
export type RulebookHead = Pick<Rulebook, 'title' | 'subtitle' | 'language'>;

/** Width of a whole table in the editor's pixels, by which shares become widths. */
const TABLE_PX = 600;

/** The id that a block without one has while it is not edited: its place says it, so it is the same everywhere. */
class Ids {
  readonly #taken = new Set<string>();

  of(given: unknown): string {
    const wanted = typeof given === 'string' && given !== '' ? given : 'b';
    let free = wanted;
    for (let n = 2; this.#taken.has(free); n++) free = `${wanted.slice(0, 32)}-${n}`;
    this.#taken.add(free);
    return free;
  }
}

function children(node: ProseNode): ProseNode[] {
  return [...node.content.content];
}

function inlineOf(node: ProseNode): Inline {
  const { attrs } = node;
  switch (node.type.name) {
    case 'break':
      return { type: 'break' };
    case 'icon':
    case 'card':
      return { type: node.type.name, name: attrs.name };
    case 'term':
      return { type: 'term', definition: attrs.definition, text: attrs.text };
    case 'reference':
      return { type: 'reference', block: attrs.block, show: attrs.show };
    case 'value':
      return { type: 'value', formula: attrs.formula };
    default: {
      const marks = node.marks.map(({ type }) => type.name as Mark);
      return { type: 'text', text: node.text ?? '', ...(marks.length > 0 && { marks }) };
    }
  }
}

const inlinesOf = (node: ProseNode): Inline[] => children(node).map(inlineOf);

/** Alignments of the columns of a table: that of the first cell in a column that has one. */
export const alignmentsOf = (table: ProseNode): Alignment[] =>
  children(table.child(0)).map(
    (_, at) =>
      children(table)
        .map((row) => row.maybeChild(at)?.attrs.align ?? null)
        .find((align) => align !== null) ?? 'left',
  );

function tableOf(node: ProseNode, id: string): Table {
  const [caption, table] = children(node);
  const rows = table ? children(table).map((row) => children(row).map(inlinesOf)) : [];
  const widths = table?.firstChild ? children(table.firstChild).map(({ attrs }) => attrs.colwidth?.[0]) : [];
  const align = table ? alignmentsOf(table) : [];
  const known = widths.every((width): width is number => typeof width === 'number');
  return {
    type: 'table',
    id,
    caption: caption ? inlinesOf(caption) : [],
    headRows: Math.min(node.attrs.headRows, rows.length),
    ...(known && widths.length > 0 && { widths: widths.map((width) => width / (TABLE_PX / 10)) }),
    ...(align.some((one) => one !== 'left') && { align }),
    rows,
  };
}

function blockOf(node: ProseNode, ids: Ids): Block {
  const { attrs } = node;
  const id = ids.of(attrs.id);
  switch (node.type.name) {
    case 'heading':
      return { type: 'heading', id, level: attrs.level, content: inlinesOf(node) };
    case 'rule':
      return { type: 'rule', id, depth: attrs.depth, content: inlinesOf(node) };
    case 'definition': {
      const { term, variants, forbidden } = attrs;
      return { type: 'definition', id, term, variants, forbidden, content: inlinesOf(node) };
    }
    case 'list': {
      const items = children(node).map(
        (item): ListItem => ({ id: ids.of(item.attrs.id), blocks: blocksOf(item, ids) }),
      );
      return { type: 'list', id, marker: attrs.marker, items };
    }
    case 'callout': {
      const { kind, title, seen } = attrs;
      const cards = seen.length > 0 && { seen };
      return { type: 'callout', id, kind, title, ...cards, blocks: blocksOf(node, ids) };
    }
    case 'columns':
      return { type: 'columns', id, count: attrs.count, blocks: blocksOf(node, ids) };
    case 'tableBlock':
      return tableOf(node, id);
    case 'figure': {
      const { source, alt, place, width } = attrs;
      return { type: 'figure', id, source, alt, place, width, caption: inlinesOf(node) };
    }
    case 'cards':
      return { type: 'cards', id, names: attrs.names, caption: inlinesOf(node) };
    case 'pageBreak':
      return { type: 'pageBreak', id, to: attrs.to };
    case 'live':
      return { type: 'live', id, show: attrs.show };
    default:
      return { type: 'paragraph', id, content: inlinesOf(node) };
  }
}

const blocksOf = (node: ProseNode, ids: Ids): Block[] => children(node).map((child) => blockOf(child, ids));

/** The blocks of an edited document. Of two with one id, the later is given another. */
export const blocksOfProse = (doc: ProseNode): Block[] => blocksOf(doc, new Ids());

/** Words that an edited document says to be no terms. */
export const noTermsOfProse = (doc: ProseNode): readonly NoTerm[] => doc.attrs.noTerms;

/** An edited document as a rulebook. */
export const toRulebook = (doc: ProseNode, { title, subtitle, language }: RulebookHead): Rulebook => ({
  version: RULEBOOK_VERSION,
  title,
  subtitle,
  language,
  ...(noTermsOfProse(doc).length > 0 && { noTerms: noTermsOfProse(doc) }),
  blocks: blocksOfProse(doc),
});

const nodes = proseSchema.nodes;

function proseInline(inline: Inline): ProseNode {
  switch (inline.type) {
    case 'text': {
      const marks = MARKS.filter((mark) => inline.marks?.includes(mark)).map(
        (mark): ProseMark => proseSchema.mark(mark),
      );
      return proseSchema.text(inline.text, marks);
    }
    case 'break':
      return nodes.break.create();
    default: {
      const { type, ...attrs } = inline;
      return nodes[type].create(attrs);
    }
  }
}

const proseInlines = (content: readonly Inline[]): ProseNode[] => content.map(proseInline);
const orParagraph = (content: ProseNode[]): ProseNode[] =>
  content.length > 0 ? content : [nodes.paragraph.create()];

function proseTable({ id, caption, headRows, widths, align, rows }: Table): ProseNode {
  const whole = widths?.reduce((sum, width) => sum + width, 0) ?? 1;
  const px = widths?.map((width) =>
    Math.min(MAX_COLUMN_PX, Math.max(MIN_COLUMN_PX, (width / whole) * TABLE_PX)),
  );
  const lines = rows.map((row) =>
    nodes.tableRow.create(
      null,
      row.map((cell, at) =>
        nodes.tableCell.create(
          { colwidth: px ? [px[at]] : null, align: align?.[at] === 'left' ? null : (align?.[at] ?? null) },
          proseInlines(cell),
        ),
      ),
    ),
  );
  return nodes.tableBlock.create({ id, headRows }, [
    nodes.caption.create(null, proseInlines(caption)),
    nodes.table.create(null, lines),
  ]);
}

function proseBlock(block: Block): ProseNode {
  switch (block.type) {
    case 'list': {
      const { id, marker } = block;
      const items = block.items.map((item) =>
        nodes.listItem.create({ id: item.id }, orParagraph(item.blocks.map(proseBlock))),
      );
      return nodes.list.create({ id, marker }, items);
    }
    case 'callout':
    case 'columns': {
      const { type, blocks, ...attrs } = block;
      return nodes[type].create(attrs, orParagraph(blocks.map(proseBlock)));
    }
    case 'table':
      return proseTable(block);
    case 'figure':
    case 'cards': {
      const { type, caption, ...attrs } = block;
      return nodes[type].create(attrs, proseInlines(caption));
    }
    case 'pageBreak':
    case 'live': {
      const { type, ...attrs } = block;
      return nodes[type].create(attrs);
    }
    default: {
      const { type, content, ...attrs } = block;
      return nodes[type].create(attrs, proseInlines(content));
    }
  }
}

/** Blocks as an edited document. */
export function toProse(blocks: readonly Block[]): ProseNode {
  return nodes.doc.create(null, orParagraph(blocks.map(proseBlock)));
}

/** Reads the blocks of a rulebook from what an archive or a version holds. @throws RulebookError */
export function parseBlocks(blocks: unknown): readonly Block[] {
  return parseRulebook({ version: RULEBOOK_VERSION, title: '-', subtitle: '', language: 'en', blocks })
    .blocks;
}
