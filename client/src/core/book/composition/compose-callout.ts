import type { Op } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import type { BlockOf } from '../document/schema.ts';
import { type Box, box, type Group, type Item, isBox } from '../typesetting/box.ts';
import { calloutTitle } from '../typesetting/callout-title.ts';
import type { Context } from '../typesetting/context.ts';
import type { CalloutLook, HouseStyle } from '../typesetting/house-style.ts';
import { type ComposeBlocks, type Setting, under } from '../typesetting/setting.ts';
import { filled, line } from '../typesetting/shapes.ts';
import { lineBoxes } from '../typesetting/text-boxes.ts';

/** Free space inside a callout, in lines of the grid and in millimetres at its sides. */
const PAD_LINES = 0.5;
const PAD_SIDE = 3;

/** A box of its own colour that may break over columns. */
export function calloutBoxes(
  context: Context,
  block: BlockOf<'callout'>,
  { frame, path }: Setting,
  composeBlocks: ComposeBlocks,
): Item[] {
  const { house, grid } = context;
  const look = house.callouts[block.kind];
  const pad = PAD_LINES * grid;
  const element = under(path, 'Note', block.id);
  const inner = { x: frame.x + PAD_SIDE, w: frame.w - 2 * PAD_SIDE };
  const group: Group = {
    id: block.id,
    head: [space(block.id, pad)],
    tail: pad,
    frame: ({ x, y, h }) => frameOps(house, look, { x: x + frame.x, y, w: frame.w, h }),
  };
  const title = lineBoxes(context, {
    block: block.id,
    inlines: [{ kind: 'text', text: calloutTitle(block, context.doc.language), look: titleLook(look) }],
    role: 'calloutTitle',
    frame: inner,
    path: under(element, 'P', `${block.id}/title`),
  });
  const content = composeBlocks(context, block.blocks, { frame: inner, path: element, role: 'callout' });
  const first = content[0];
  // Its title stands close above the text.
  if (first && isBox(first)) content[0] = { ...first, before: 0 };
  const top = { ...space(block.id, pad), anchors: [block.id], before: grid * 0.5, keep: true };
  const last = content.at(-1) ?? title.at(-1);
  return [
    top,
    ...title.map((one): Box => ({ ...one, keep: true })),
    ...content.map((one): Item => (one === last && isBox(one) ? { ...one, keep: true } : one)),
    space(block.id, pad),
  ].map((one) => (isBox(one) ? { ...one, group: one.group ?? group } : one));
}

const titleLook = ({ title }: CalloutLook) => ({
  family: null,
  weight: null,
  italic: null,
  color: title,
  scale: 1,
});

const space = (block: string, h: number): Box => box({ block, h, paint: () => [] });

const BAR = 1;
const ROUND = 2.2;

function frameOps({ calloutShape }: HouseStyle, { fill, edge }: CalloutLook, room: Rect): Op[] {
  const { x, y, w, h } = room;
  if (calloutShape === 'round') return [filled(room, fill, ROUND)];
  if (calloutShape === 'bar') return [filled(room, fill), filled({ ...room, w: BAR }, edge)];
  return [
    filled(room, fill),
    line([x, y], [x + w, y], edge, 0.25),
    line([x, y + h], [x + w, y + h], edge, 0.25),
  ];
}
