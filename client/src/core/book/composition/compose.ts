import { ptToMm } from '../../units.ts';
import type { Block, BlockOf, Inline, ListItem } from '../document/schema.ts';
import type { Box, Item } from '../typesetting/box.ts';
import type { Context } from '../typesetting/context.ts';
import { lookOf, markupOf } from '../typesetting/inlines.ts';
import { type Setting, under } from '../typesetting/setting.ts';
import { headingBox, lineBoxes } from '../typesetting/text-boxes.ts';
import { calloutBoxes } from './compose-callout.ts';
import { figureBoxes } from './compose-figure.ts';
import { liveBoxes } from './compose-live.ts';
import { tableBoxes } from './compose-table.ts';

/** Room of labels, as multiples of the type size. */
const BULLET_EM = 1.1;
const NUMBER_EM = 1.6;
const RULE_INDENT_EM = 2.9;
const RULE_SHIFT_EM = 1.2;

/** Composes blocks one below another. */
export function composeBlocks(context: Context, blocks: readonly Block[], setting: Setting): Item[] {
  const items: Item[] = [];
  let after = 0;
  for (const [at, block] of blocks.entries()) {
    const made = composed(context, block, { previous: blocks[at - 1], after }, setting);
    if (made.length > 0) after = spaceAfter(context, block);
    for (const one of made) items.push(one);
  }
  return items;
}

/** The block before another one, and the space below it. */
interface Above {
  readonly previous: Block | undefined;
  readonly after: number;
}

/** A block composed, or as it was composed before. Blocks inside others are kept with those. */
function composed(context: Context, block: Block, above: Above, setting: Setting): readonly Item[] {
  const { frame, role, path } = setting;
  if (path.length > 0) return spaced(context, block, above, setting);
  const around = { frame, role, previous: above.previous?.type, after: above.after };
  return context.cache.composed(context, block, around, (watching) =>
    spaced(watching, block, above, setting),
  );
}

/** A block with the space before it. */
function spaced(context: Context, block: Block, { previous, after }: Above, setting: Setting): Item[] {
  const made = composeBlock(context, block, previous, setting);
  const first = made[0];
  if (first?.kind !== 'box') return made;
  // Text stands close below its heading.
  const close = previous?.type === 'heading' && TEXTS.has(block.type);
  made[0] = {
    ...first,
    before: Math.max(close ? 0 : first.before, after, spaceBetween(context, previous, block)),
    anchors: [...new Set([block.id, ...first.anchors])],
  };
  return made;
}

/** Composes one block. `previous` stands before it and decides on its indent. */
function composeBlock(context: Context, block: Block, previous: Block | undefined, setting: Setting): Item[] {
  const { frame, path, role } = setting;
  switch (block.type) {
    case 'heading':
      return heading(context, block, setting);
    case 'paragraph':
      return paragraph(context, block.id, block.content, setting, previous?.type === 'paragraph');
    case 'rule':
      return rule(context, block, setting);
    case 'definition':
      return definition(context, block, setting);
    case 'list':
      return list(context, block, setting, previous);
    case 'callout':
      return calloutBoxes(context, block, setting, composeBlocks);
    case 'table':
      return tableBoxes(context, block, frame, path);
    case 'figure':
    case 'cards':
      return figureBoxes(context, block, frame, path);
    case 'live':
      return liveBoxes(context, block, setting);
    case 'columns':
      return composeBlocks(context, block.blocks, { frame, path, role });
    case 'pageBreak':
      return [{ kind: 'columnBreak' }];
  }
}

const TEXTS: ReadonlySet<Block['type']> = new Set(['paragraph', 'list', 'rule', 'definition']);

/** Callouts below one another are a line apart, so that the text of both is on the grid. */
const spaceBetween = ({ grid }: Context, previous: Block | undefined, block: Block): number =>
  previous?.type === 'callout' && block.type === 'callout' ? grid : 0;

/** Space that a block keeps free below itself, in millimetres. */
function spaceAfter({ house, grid }: Context, block: Block): number {
  switch (block.type) {
    case 'heading':
      return house.roles[`h${block.level}`].after * grid;
    case 'callout':
      return grid * 0.5;
    case 'table':
    case 'figure':
    case 'cards':
      return grid * 0.75;
    default:
      return 0;
  }
}

function heading(context: Context, block: BlockOf<'heading'>, { frame, path }: Setting): Item[] {
  const role = `h${block.level}` as const;
  const made = headingBox(context, {
    block: block.id,
    inlines: markupOf(context, block.id, block.content, role),
    role,
    frame,
    path: under(path, `H${block.level}`, block.id),
  });
  return made ? [{ ...made, before: context.house.roles[role].before * context.grid }] : [];
}

function paragraph(
  context: Context,
  id: string,
  content: readonly Inline[],
  { frame, path, role }: Setting,
  indented: boolean,
): Box[] {
  const { firstIndent, before } = context.house.roles.body;
  const boxes = lineBoxes(context, {
    block: id,
    inlines: markupOf(context, id, content, role),
    role,
    frame,
    path: under(path, 'P', id),
    firstIndent: indented ? firstIndent : 0,
  });
  return withBefore(boxes, role === 'list' ? 0 : before * context.grid);
}

export function withBefore(boxes: Box[], before: number): Box[] {
  const first = boxes[0];
  return first ? [{ ...first, before }, ...boxes.slice(1)] : boxes;
}

/** A numbered rule hangs behind its number. */
function rule(context: Context, block: BlockOf<'rule'>, setting: Setting): Item[] {
  const number = context.numbering.places.get(block.id)?.number ?? '';
  const size = ptToMm(context.house.roles.body.text.size);
  const shift = (block.depth - 1) * RULE_SHIFT_EM * size;
  const content = markupOf(context, block.id, block.content, setting.role);
  const moved = { ...setting, frame: { x: setting.frame.x + shift, w: setting.frame.w - shift } };
  const path = under(under(setting.path, 'L', `${block.id}/list`), 'LI', block.id);
  const items = hanging(context, block.id, number, RULE_INDENT_EM * size, { ...moved, path }, (inner) =>
    lineBoxes(context, {
      block: block.id,
      inlines: content,
      role: setting.role,
      frame: inner.frame,
      path: under(inner.path, 'P', `${block.id}/text`),
      firstIndent: 0,
    }),
  );
  return withBefore(items as Box[], context.house.roles.body.before * context.grid);
}

/** Content behind a label that stands on its first line. The setting's path is that of the whole item. */
function hanging(
  context: Context,
  id: string,
  label: string,
  indent: number,
  { frame, path, role }: Setting,
  content: (inner: Setting) => Item[],
): Item[] {
  const labelled = lineBoxes(context, {
    block: id,
    inlines: [{ kind: 'text', text: label, look: lookOf(context, role, ['strong'], undefined) }],
    role,
    frame: { x: frame.x, w: indent },
    path: under(path, 'Lbl', `${id}/label`),
    firstIndent: 0,
  })[0];
  const items = content({
    frame: { x: frame.x + indent, w: frame.w - indent },
    path: under(path, 'LBody', `${id}/body`),
    role: role === 'callout' ? 'callout' : 'list',
  });
  const first = items[0];
  if (!labelled) return items;
  if (first?.kind !== 'box') return [{ ...labelled, anchors: [id] }, ...items];
  const beside: Box = {
    ...first,
    before: 0,
    anchors: [...new Set([id, ...first.anchors])],
    paint: (x, y) => [...labelled.paint(x, y), ...first.paint(x, y)],
  };
  return [beside, ...items.slice(1)];
}

function definition(context: Context, block: BlockOf<'definition'>, setting: Setting): Item[] {
  const { role, frame, path } = setting;
  const size = ptToMm(context.house.roles.body.text.size);
  const hang = 1.2 * size;
  const term = {
    kind: 'text' as const,
    text: `${block.term.trim()} `,
    look: lookOf(context, role, ['strong'], undefined),
  };
  const boxes = lineBoxes(context, {
    block: block.id,
    inlines: [term, ...markupOf(context, block.id, block.content, role)],
    role,
    // A negative indent lets the first line begin left of the others.
    frame: { x: frame.x + hang, w: frame.w - hang },
    path: under(path, 'P', block.id),
    firstIndent: -hang / size,
  });
  return withBefore(boxes, context.house.roles.body.before * context.grid);
}

function list(
  context: Context,
  block: BlockOf<'list'>,
  setting: Setting,
  previous: Block | undefined,
): Item[] {
  const size = ptToMm(context.house.roles.body.text.size);
  const steps = block.marker === 'steps';
  const indent = (steps ? NUMBER_EM + (block.items.length > 9 ? 0.5 : 0) : BULLET_EM) * size;
  const path = under(setting.path, 'L', block.id);
  const items = block.items.flatMap((item, at) => {
    const label = steps ? `${at + 1}.` : context.house.bullet;
    return listItem(context, item, label, indent, { ...setting, path });
  });
  const first = items[0];
  if (first?.kind === 'box' && previous && setting.role !== 'list') {
    items[0] = { ...first, before: context.house.roles.body.before * context.grid };
  }
  return items;
}

function listItem(context: Context, item: ListItem, label: string, indent: number, setting: Setting): Item[] {
  const path = under(setting.path, 'LI', item.id);
  return hanging(context, item.id, label, indent, { ...setting, path }, (inner) =>
    composeBlocks(context, item.blocks, inner),
  );
}
