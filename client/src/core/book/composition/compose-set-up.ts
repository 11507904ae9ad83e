import type { SetUpPart, SetUpPicture } from '../../play/set-up/set-up-picture.ts';
import type { Op } from '../../scene/display/display-list.ts';
import { ptToMm } from '../../units.ts';
import type { Inline, Live } from '../document/schema.ts';
import { type Box, box, type Path, type Piece } from '../typesetting/box.ts';
import type { CardArt, Context } from '../typesetting/context.ts';
import { markupOf } from '../typesetting/inlines.ts';
import { paintLine } from '../typesetting/set-lines.ts';
import { edged } from '../typesetting/shapes.ts';
import { type Frame, setRole } from '../typesetting/text-boxes.ts';
import { captionBoxes } from './compose-table.ts';

/** Largest scale of the table, and tallest picture as a share of the page's body. */
const MAX_SCALE = 0.35;
const MAX_HEIGHT = 0.6;
/** Colours of the parts without a look. Neither paper nor the dark of a screen hides them. */
const [EDGE, AREA, BLANK, PAPER] = ['#8d8272', '#f1ece1', '#cfc5b3', '#ffffff'] as const;
/** Cards that a pile shows below its top one. */
const MAX_EDGES = 3;
/** Radius of a number's disc, as a multiple of its size, and the room around the picture for discs, in millimetres. */
const DISC = 0.72;
const ROOM = 2.2;

/** The table as a game begins, with the numbers of its parts, and below it the words for each number. */
export function setUpBoxes(context: Context, { id }: Live, frame: Frame, path: Path): Box[] {
  const { setUp } = context.assets.project;
  if (!setUp || 'problem' in setUp) {
    const message = setUp?.problem ?? 'The table of the project is not known here.';
    context.report({ block: id, code: 'missing-set-up', message });
    return [];
  }
  const scale = Math.min(
    MAX_SCALE,
    (frame.w - 2 * ROOM) / setUp.w,
    (MAX_HEIGHT * context.bodyHeight) / setUp.h,
  );
  const alt = setUp.legend.map(({ words }, at) => `${at + 1}: ${words}`).join('\n');
  const element: Path = [...path, { tag: 'Figure', key: id, alt }];
  const caption = captionBoxes(context, id, legendOf(setUp), frame, element);
  const left = frame.x + (frame.w - setUp.w * scale) / 2;
  const discs = setUp.legend.map((_, at) => discOf(context, id, `${at + 1}`));
  const picture = box({
    block: id,
    anchors: [id],
    before: context.grid * 0.75,
    h: setUp.h * scale + 2 * ROOM,
    keep: true,
    ink: { from: frame.x, to: frame.x + frame.w },
    paint: (x, y) => [
      { path: element, ops: setUpOps(setUp, x + left, y + ROOM, scale) },
      ...setUp.legend.flatMap(
        (one, at) => discs[at]?.(x + left + one.x * scale, y + ROOM + one.y * scale) ?? [],
      ),
    ],
  });
  return [picture, ...caption.map((one): Box => ({ ...one, keep: one !== caption.at(-1) }))];
}

const legendOf = ({ legend }: SetUpPicture<CardArt>): Inline[] =>
  legend.flatMap(({ words }, at): Inline[] => [
    ...(at > 0 ? [{ type: 'text' as const, text: ' · ' }] : []),
    { type: 'text', text: `${at + 1}:`, marks: ['strong'] },
    { type: 'text', text: `\u00a0${words.trim()}` },
  ]);

/** A number for the corner of a part: the answer paints it there. */
function discOf(context: Context, block: string, number: string): (x: number, y: number) => Piece[] {
  const role = context.house.roles.cell.text;
  const size = ptToMm(role.size);
  const radius = size * DISC;
  const set = setRole(context, {
    block,
    inlines: markupOf(context, block, [{ type: 'text', text: number, marks: ['strong'] }], 'cell'),
    role: 'cell',
    frame: { x: 0, w: 20 },
    path: [],
  });
  const width = (set?.lines[0]?.width ?? 0) * (set?.size ?? 0);
  return (x, y) => {
    const ground = edged(
      { x: x - radius, y: y - radius, w: 2 * radius, h: 2 * radius },
      { fill: PAPER, edge: role.color, width: 0.25, radius },
    );
    const words = set
      ? paintLine(set, 0, { x: x - width / 2, w: width + 0.1, baseline: y + size * 0.33 }, [])
      : [];
    return [{ path: [], ops: [ground] }, ...words];
  };
}

/** The parts of a table without their numbers. `x` and `y` are its left and top. */
export function setUpOps({ parts }: SetUpPicture<CardArt>, x: number, y: number, scale: number): Op[] {
  return parts.flatMap((part) => partOps(part, x + part.x * scale, y + part.y * scale, scale));
}

function partOps({ kind, w, h, count, look }: SetUpPart<CardArt>, x: number, y: number, scale: number): Op[] {
  const at = { x, y, w: w * scale, h: h * scale };
  const radius = Math.min(at.w, at.h) * 0.05;
  if (kind === 'area') return [edged(at, { fill: AREA, edge: EDGE, width: 0.2, radius: 1.5 })];
  if (kind === 'pile' && count === 0) {
    return [edged(at, { fill: null, edge: EDGE, width: 0.25, radius, dash: [1, 0.8] })];
  }
  const edges = kind === 'pile' ? Math.min(MAX_EDGES, Math.floor(Math.log2(Math.max(1, count)))) : 0;
  const below = Array.from({ length: edges }, (_, edge): Op => {
    const by = (edges - edge) * 0.35;
    return edged({ ...at, x: at.x + by, y: at.y + by }, { fill: PAPER, edge: EDGE, width: 0.12, radius });
  });
  if (!look) return [...below, edged(at, { fill: BLANK, edge: EDGE, width: 0.2, radius })];
  const matrix = [at.w / look.w, 0, 0, at.h / look.h, at.x, at.y] as const;
  return [
    ...below,
    { op: 'push', matrix, clip: null, opacity: 1, blend: 'normal' },
    ...look.ops,
    { op: 'pop' },
  ];
}
