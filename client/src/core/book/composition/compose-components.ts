import type { Op } from '../../scene/display/display-list.ts';
import { ptToMm } from '../../units.ts';
import { type Box, box, type Path, type Piece } from '../typesetting/box.ts';
import type { CardArt, Context, Counted } from '../typesetting/context.ts';
import { markupOf } from '../typesetting/inlines.ts';
import { paintLine } from '../typesetting/set-lines.ts';
import { line } from '../typesetting/shapes.ts';
import { type Frame, setRole } from '../typesetting/text-boxes.ts';
import { CELL_PITCH, firstBaseline } from './compose-table.ts';

/** Largest picture of a component, the space beside it and above and below it, in millimetres. */
const [PICTURE_W, PICTURE_H] = [20, 18];
const [BESIDE, AROUND] = [4, 1.2];

/** The components with their pictures: a row each, which stays whole. */
export function componentBoxes(context: Context, id: string, frame: Frame, path: Path): Box[] {
  const { components } = context.assets.project;
  const table: Path = [...path, { tag: 'Table', key: id }];
  return components.map((component, at) =>
    componentBox(context, { id, component, at, last: at === components.length - 1 }, frame, table),
  );
}

interface Row {
  readonly id: string;
  readonly component: Counted;
  readonly at: number;
  readonly last: boolean;
}

function componentBox(context: Context, { id, component, at, last }: Row, frame: Frame, table: Path): Box {
  const { name, count, card } = component;
  const art = card === undefined ? undefined : context.assets.project.card(card);
  const row: Path = [...table, { tag: 'TR', key: `${id}/${at}` }];
  const cell = (column: number): Path => [...row, { tag: 'TD', key: `${id}/${at}/${column}` }];
  const size = ptToMm(context.house.roles.cell.text.size);
  const left = PICTURE_W + BESIDE;
  const content = [{ type: 'text' as const, text: `${count} × ${name}` }];
  const words = setRole(context, {
    block: id,
    inlines: markupOf(context, id, content, 'cell'),
    role: 'cell',
    frame: { x: 0, w: frame.w - left },
    path: cell(1),
  });
  const lines = words?.lines.length ?? 1;
  const pitch = size * CELL_PITCH;
  const picture = art && pictureOf(art);
  const h = Math.max(picture?.h ?? 0, lines * pitch) + 2 * AROUND;
  return box({
    block: id,
    h,
    before: at === 0 ? context.grid * 0.75 : 0,
    anchors: at === 0 ? [id] : [],
    // Neither the first nor the last one stands alone.
    keep: at === 0 && !last,
    ink: { from: frame.x, to: frame.x + frame.w },
    paint: (x, y) => {
      const start = x + frame.x;
      const figure: Path = [...cell(0), { tag: 'Figure', key: `${id}/${at}/picture`, alt: art?.alt ?? '' }];
      const pieces: Piece[] = [
        picture
          ? {
              path: figure,
              ops: picture.paint(start + (PICTURE_W - picture.w) / 2, y + (h - picture.h) / 2),
            }
          : { path: cell(0), ops: [] },
      ];
      const top = y + (h - lines * pitch) / 2;
      for (let number = 0; words && number < lines; number++) {
        const baseline = top + number * pitch + firstBaseline(size);
        pieces.push(...paintLine(words, number, { x: start + left, w: frame.w - left, baseline }, cell(1)));
      }
      const rule = line([start, y + h], [start + frame.w, y + h], context.house.rule, 0.15);
      return last ? pieces : [...pieces, { path: [], ops: [rule] }];
    },
  });
}

/** A card as large as its place has room for. */
function pictureOf({ w, h, ops }: CardArt) {
  const scale = Math.min(1, PICTURE_W / w, PICTURE_H / h);
  return {
    w: w * scale,
    h: h * scale,
    paint: (x: number, y: number): Op[] => [
      { op: 'push', matrix: [scale, 0, 0, scale, x, y], clip: null, opacity: 1, blend: 'normal' },
      ...ops,
      { op: 'pop' },
    ],
  };
}
