import { nameOf } from '../../images/path.ts';
import type { Op } from '../../scene/display/display-list.ts';
import { absentWords, NO_CARD } from '../cards/cards-check.ts';
import type { Cards, Figure } from '../document/schema.ts';
import { type Box, box, type Path } from '../typesetting/box.ts';
import type { CardArt, Context } from '../typesetting/context.ts';
import { edged, filled } from '../typesetting/shapes.ts';
import type { Frame } from '../typesetting/text-boxes.ts';
import { captionBoxes } from './compose-table.ts';

/** Tallest figure, as a share of the page's body. */
const MAX_HEIGHT = 0.85;
/** Space between cards side by side, and the largest scale of a card. */
const CARD_GAP = 3;
const MAX_CARD_SCALE = 1;

interface Art {
  readonly h: number;
  /** From the frame's left and the box's top. */
  readonly paint: (x: number, y: number) => readonly Op[];
  readonly alt: string;
  /** A sentence for each thing that is not there, for whoever reads the page. */
  readonly missing: readonly string[];
}

/** An image or a row of cards, with a caption that stays below it. */
export function figureBoxes(context: Context, block: Figure | Cards, frame: Frame, path: Path): Box[] {
  const art = block.type === 'figure' ? imageArt(context, block, frame) : cardsArt(context, block, frame);
  const element: Path = [...path, { tag: 'Figure', key: block.id, alt: art.alt }];
  const caption = [
    ...art.missing.flatMap((text) =>
      captionBoxes(context, block.id, [{ type: 'text', text, marks: ['strong'] }], frame, element),
    ),
    ...captionBoxes(context, block.id, block.caption, frame, element),
  ];
  const image = box({
    block: block.id,
    anchors: [block.id],
    before: context.grid * 0.75,
    h: art.h,
    keep: caption.length > 0,
    float: block.type === 'figure' && block.place === 'top' && caption.length === 0,
    ink: { from: frame.x, to: frame.x + frame.w },
    paint: (x, y) => [{ path: element, ops: art.paint(x + frame.x, y) }],
  });
  if (block.type !== 'figure' || block.place !== 'top' || caption.length === 0) {
    return [image, ...caption.map((one): Box => ({ ...one, keep: one !== caption.at(-1) }))];
  }
  return [floated(context, image, caption)];
}

/** An image and its caption as one box, which may wait for the top of a column. */
function floated({ grid }: Context, image: Box, caption: readonly Box[]): Box {
  const top = Math.ceil(image.h / grid) * grid;
  return {
    ...image,
    h: top + caption.length * grid,
    grid: true,
    keep: false,
    float: true,
    paint: (x, y) => [
      ...image.paint(x, y),
      ...caption.flatMap((one, at) => one.paint(x, y + top + at * grid)),
    ],
  };
}

/** The words for a picture without a description: its name, without folders, the id before them and the ending. */
export const spokenName = (source: string): string => nameOf(source).replace(/\.\w{2,5}$/, '') || source;

function imageArt(context: Context, { id, source, alt, width }: Figure, frame: Frame): Art {
  const { assets, bodyHeight, house, report } = context;
  const size = assets.images.size(source);
  const aspect = size && size.h > 0 ? size.w / size.h : 16 / 9;
  const w = Math.min(width * frame.w, MAX_HEIGHT * bodyHeight * aspect);
  const h = w / aspect;
  const left = (frame.w - w) / 2;
  if (size) {
    const paint = (x: number, y: number): Op[] => [
      { op: 'image', image: source, box: { x: x + left, y, w, h }, clip: null, opacity: 1 },
    ];
    return { h, alt: alt || spokenName(source), missing: [], paint };
  }
  const message = `The image ${source} is not in the library: choose another one or upload it.`;
  report({ block: id, code: 'missing-image', message });
  return {
    h,
    alt: alt || spokenName(source),
    missing: [],
    paint: (x, y) => [filled({ x: x + left, y, w, h }, house.table.band)],
  };
}

/** Trim size of what stands for a card that is gone, in millimetres. */
const ABSENT = { w: 63, h: 88, radius: 3 };

/** The outline of a card that is not there. */
function absentArt(house: Context['house']): CardArt {
  const { w, h, radius } = ABSENT;
  const box = { x: 0.5, y: 0.5, w: w - 1, h: h - 1 };
  const look = { fill: house.table.band, edge: house.rule, width: 0.5, radius, dash: [2, 2] };
  return { w, h, ops: [edged(box, look)], alt: '' };
}

function cardsArt({ assets, house, report, bodyHeight }: Context, { id, names }: Cards, frame: Frame): Art {
  const { project } = assets;
  const missing: string[] = [];
  const found = names.map((name): CardArt => {
    const card = project.card(name);
    if (card) return card;
    report({ block: id, code: 'missing-card', message: absentWords(name, project.absent?.get(name)) });
    if (name !== NO_CARD) missing.push(`The card ${name} is not there.`);
    return absentArt(house);
  });
  const gaps = CARD_GAP * Math.max(0, found.length - 1);
  const wide = found.reduce((sum, card) => sum + card.w, 0);
  const tall = Math.max(0, ...found.map((card) => card.h));
  const scale = Math.min(
    MAX_CARD_SCALE,
    wide > 0 ? (frame.w - gaps) / wide : 1,
    tall > 0 ? (MAX_HEIGHT * bodyHeight) / tall : 1,
  );
  return {
    h: tall * scale,
    alt: [...found.map(({ alt }) => alt), ...missing].filter((text) => text !== '').join('\n'),
    missing,
    paint: (x, y) => {
      let at = x + (frame.w - wide * scale - gaps) / 2;
      return found.flatMap((card): Op[] => {
        const matrix = [scale, 0, 0, scale, at, y] as const;
        at += card.w * scale + CARD_GAP;
        return [{ op: 'push', matrix, clip: null, opacity: 1, blend: 'normal' }, ...card.ops, { op: 'pop' }];
      });
    },
  };
}
