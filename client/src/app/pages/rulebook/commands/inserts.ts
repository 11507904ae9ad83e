import type { Node as ProseNode } from 'prosemirror-model';
import { NodeSelection, type Command as ProseCommand, Selection } from 'prosemirror-state';
import { CALLOUT_KINDS } from '../../../../core/book/document/schema.ts';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import { CALLOUT_NAMES } from '../../../../core/book/typesetting/callout-title.ts';
import { LIVE_NAMES } from '../state/node-views.ts';

const { nodes } = proseSchema;

/** A block or inline that can be inserted. */
export interface Insert {
  readonly id: string;
  readonly label: string;
  /** Its use, in a few words. */
  readonly hint: string;
  readonly command: ProseCommand;
  /** True if one begins to write in the fields of the block, not in its text. */
  readonly toFields?: true;
}

/** Puts a block below the one with the cursor, in place of an empty paragraph, as deep as it may stand. */
export const insertBlock =
  (make: () => ProseNode): ProseCommand =>
  (state, dispatch) => {
    const { $from } = state.selection;
    const node = make();
    for (let depth = $from.depth; depth >= 0; depth--) {
      const parent = $from.node(depth);
      if (parent.inlineContent) continue;
      const empty =
        $from.depth === depth + 1 && $from.parent.type === nodes.paragraph && $from.parent.content.size === 0;
      const index = $from.index(depth);
      const [first, last] = empty ? [index, index + 1] : [index + 1, index + 1];
      const place = depth < $from.depth ? ([first, last] as const) : ([index, index] as const);
      if (!parent.canReplaceWith(place[0], place[1], node.type)) continue;
      if (!dispatch) return true;
      const from = $from.posAtIndex(place[0], depth);
      const to = $from.posAtIndex(place[1], depth);
      const tr = state.tr.replaceWith(from, to, node);
      const end = from + node.nodeSize;
      if (end === tr.doc.content.size && depth === 0) tr.insert(end, nodes.paragraph.create());
      // One begins to write in the first cell of a table, not in its caption.
      const skipped = node.type === nodes.tableBlock ? (node.firstChild?.nodeSize ?? 0) : 0;
      const inside = node.isAtom ? null : Selection.findFrom(tr.doc.resolve(from + 1 + skipped), 1, true);
      tr.setSelection(inside ?? NodeSelection.create(tr.doc, from));
      dispatch(tr.scrollIntoView());
      return true;
    }
    return false;
  };

/** Puts an inline at the cursor and selects it, so that its fields show. */
export const insertInline =
  (make: () => ProseNode): ProseCommand =>
  (state, dispatch) => {
    const { $from, from } = state.selection;
    if (!$from.parent.inlineContent) return false;
    if (!dispatch) return true;
    const tr = state.tr.replaceSelectionWith(make(), false);
    const at = tr.mapping.map(from, -1);
    if (tr.doc.nodeAt(at)?.isInline) tr.setSelection(NodeSelection.create(tr.doc, at));
    dispatch(tr.scrollIntoView());
    return true;
  };

const paragraph = () => nodes.paragraph.create();

function table(rows: number, cells: number): ProseNode {
  const row = () =>
    nodes.tableRow.create(
      null,
      Array.from({ length: cells }, () => nodes.tableCell.create()),
    );
  return nodes.tableBlock.create(null, [
    nodes.caption.create(),
    nodes.table.create(null, Array.from({ length: rows }, row)),
  ]);
}

const HINTS: Readonly<Record<string, string>> = {
  contents: 'Chapters with their pages',
  glossary: 'All definitions in order',
  index: 'Terms and the pages that use them',
  components: 'What is in the box, counted from the project',
  icons: 'The icons of the cards',
  setup: 'The project’s table at the start of a game',
};

export const INSERTS: readonly Insert[] = [
  { id: 'table', label: 'Table', hint: 'Three rows of three cells', command: insertBlock(() => table(3, 3)) },
  {
    id: 'definition',
    label: 'Definition',
    hint: 'A word of the game and what it means',
    command: insertBlock(() => nodes.definition.create({ term: 'Term' })),
    toFields: true,
  },
  ...CALLOUT_KINDS.map((kind) => ({
    id: kind,
    label: CALLOUT_NAMES[kind],
    hint: 'A box that stands out',
    command: insertBlock(() => nodes.callout.create({ kind }, paragraph())),
  })),
  {
    id: 'columns',
    label: 'Columns',
    hint: 'Text side by side',
    command: insertBlock(() => nodes.columns.create({ count: 2 }, paragraph())),
  },
  {
    id: 'page-break',
    label: 'Page break',
    hint: 'Text after it begins a new page',
    command: insertBlock(() => nodes.pageBreak.create()),
  },
  {
    id: 'picture',
    label: 'Picture',
    hint: 'From the project’s images',
    command: insertBlock(() => nodes.figure.create()),
  },
  {
    id: 'cards',
    label: 'Row of cards',
    hint: 'Cards of the project, as they are now',
    command: insertBlock(() => nodes.cards.create()),
  },
  ...Object.entries(LIVE_NAMES).map(([show, label]) => ({
    id: show,
    label,
    hint: HINTS[show] ?? '',
    command: insertBlock(() => nodes.live.create({ show })),
  })),
  { id: 'card', label: 'Card name', hint: 'In the text', command: insertInline(() => nodes.card.create()) },
  { id: 'icon', label: 'Icon', hint: 'In the text', command: insertInline(() => nodes.icon.create()) },
  {
    id: 'term',
    label: 'Term',
    hint: 'A defined word, linked to its definition',
    command: insertInline(() => nodes.term.create()),
  },
  {
    id: 'reference',
    label: 'Reference',
    hint: 'Number, title or page of a block',
    command: insertInline(() => nodes.reference.create()),
  },
  {
    id: 'value',
    label: 'Value',
    hint: 'Worked out from the project',
    command: insertInline(() => nodes.value.create()),
  },
];
