import type { Rect } from '../../scene/display/matrix.ts';
import { foldLines } from '../folding/fold.ts';
import { type PrintSettings, pageSize } from '../settings.ts';
import { everyCopy, limitSheets } from '../sheets/copies.ts';
import type { Line } from '../sheets/marks.ts';
import { behind, flipLine, type Mirror } from '../sheets/reflect.ts';
import type { CardSet, Label, Placement, Sheet, SheetPlan } from '../sheets/sheet.ts';
import { chooseTiles, NAME_ROOM_MM, roomOf, type Tile, type Tiles } from './tile.ts';
import { tileLines } from './tile-marks.ts';

/** Sheets of cards that are larger than the page: an overview, then each card tile by tile. */

/** From a tile to the line of text above it, and the line's height. */
const NAME_OFFSET_MM = 6;
const NAME_HEIGHT_MM = 5;
/** Room for a tile's name before the rest of the line. */
const NAME_WIDTH_MM = 20;
/** Between a cut and the text beside it. */
const NAME_GAP_MM = 2;
const TEXT_PT = 7.5;
/** Height of the overview's text with a gap below it. */
const HEADER_MM = 24;
/** Smallest tile on the overview that shows its name, and the largest plate behind a name. */
const LEAST_NAMED_MM = 6;
const PLATE_MM = { w: 14, h: 8 };
/** Points of a name in a plate of that height. */
const PLATE_PT = 13;

/**
 * @param blankBacks print empty backs for cards without any
 * @throws ImpositionError when the pages have too little room, or would be too many
 */
export function tiledPlan(cards: CardSet, settings: PrintSettings, blankBacks: boolean): SheetPlan {
  const { tiles: plan, otherwise } = chooseTiles(cards, settings);
  const { orientation, columns, rows, tiles, cut } = plan;
  const page = pageSize({ ...settings.page, orientation });
  const all = everyCopy(cards.copies);
  limitSheets(all.length, 1 / tiles.length);
  const making: Making = { cards, settings, plan, page, room: roomOf(settings, orientation) };
  const fronts = all.flatMap((item) => tiles.map((_, index) => frontOf(making, item, index)));
  const shown = all[0] && settings.boards.overview ? [overview(making, all[0].card)] : [];
  const { sheets, papers } = withBacks(making, shown, fronts, blankBacks);
  return {
    ...page,
    columns,
    rows,
    perSheet: 1,
    bleed: settings.bleed ? cards.bleed : 0,
    sheets,
    papers,
    cards: all.length,
    tiling: { columns, rows, cut, otherwise: otherwise?.tiles.length },
  };
}

interface Making {
  readonly cards: CardSet;
  readonly settings: PrintSettings;
  readonly plan: Tiles;
  readonly page: { readonly w: number; readonly h: number };
  readonly room: Rect;
}

const BLANK: Sheet = { side: 'back', placements: [], marks: [], folds: [] };

function withBacks(
  { cards, settings, page }: Making,
  shown: readonly Sheet[],
  fronts: readonly Sheet[],
  blankBacks: boolean,
): { sheets: Sheet[]; papers: number } {
  const { mode } = settings.backs;
  const backs = cards.hasBacks && mode !== 'none';
  if (mode === 'long-edge' || mode === 'short-edge') {
    const papers = shown.length + fronts.length;
    if (!backs && !blankBacks) return { sheets: [...shown, ...fronts], papers };
    const mirror = flipLine(page, mode);
    const sheets = [
      ...shown.flatMap((sheet) => [sheet, BLANK]),
      ...fronts.flatMap((sheet) => [sheet, backs ? backOf(sheet, cards, settings, mirror) : BLANK]),
    ];
    return { sheets, papers };
  }
  if (!backs) return { sheets: [...shown, ...fronts], papers: shown.length + fronts.length };
  // A tile fills its page, so backs to fold over have no room beside it: they come on pages of their own.
  const own = fronts.map(
    (sheet): Sheet => ({
      ...sheet,
      side: 'back',
      placements: sheet.placements.map((front): Placement => ({ ...front, side: 'back' })),
      labels: (sheet.labels ?? []).map(asBack),
    }),
  );
  return { sheets: [...shown, ...fronts, ...own], papers: shown.length + 2 * fronts.length };
}

/** The back behind a tile: the whole back mirrored on the page, and the same part of the page of it. */
function backOf(sheet: Sheet, { size }: CardSet, { backs }: PrintSettings, mirror: Mirror): Sheet {
  const placements = sheet.placements.map((front): Placement => {
    const { x, y, turn } = behind(front, size, mirror);
    const clip = front.clip && mirrored(front.clip, mirror);
    return {
      card: front.card,
      copy: front.copy,
      side: 'back',
      x: x + backs.nudgeX,
      y: y + backs.nudgeY,
      turn,
      ...(clip && { clip: { ...clip, x: clip.x + backs.nudgeX, y: clip.y + backs.nudgeY } }),
    };
  });
  // Left and right are exchanged here: the name alone holds.
  const labels = (sheet.labels ?? [])
    .filter(({ bold }) => bold)
    .map((label) => asBack({ ...label, box: mirrored(label.box, mirror) }));
  // Cuts go by the fronts: marks on both sides would show a shift twice.
  return { side: 'back', placements, marks: [], folds: [], labels, ...(sheet.name && { name: sheet.name }) };
}

const asBack = (label: Label): Label => (label.bold ? { ...label, text: `${label.text} back` } : label);

const mirrored = (box: Rect, { axis, at }: Mirror): Rect =>
  axis === 'upright' ? { ...box, x: 2 * at - box.x - box.w } : { ...box, y: 2 * at - box.y - box.h };

function frontOf(making: Making, item: { card: number; copy: number }, index: number): Sheet {
  const { settings, plan, page, room } = making;
  const tile = plan.tiles[index] as Tile;
  const { window, tabs, name } = tile;
  const left = room.x + (room.w - window.w - tabs.right) / 2;
  const top = room.y + (room.h - window.h - tabs.bottom) / 2;
  const placement: Placement = {
    ...item,
    side: 'front',
    x: left - window.x,
    y: top - window.y,
    turn: 0,
    clip: { x: left, y: top, w: window.w, h: window.h },
  };
  return {
    side: 'front',
    placements: [placement],
    ...tileLines(tile, left, top, { marks: settings.marks, crosses: hasCrosses(settings.boards) }, page),
    labels: [
      ...namesOf(
        tile,
        left,
        top,
        `${titleOf(making.cards, item.card)}page ${index + 1} of ${plan.tiles.length}`,
      ),
      ...tabLabels(tile, left, top),
    ],
    name,
  };
}

/** Pages with tabs share too narrow a strip. */
const hasCrosses = ({ split, crosses }: PrintSettings['boards']): boolean => crosses && split === 'overlap';

/** A card's name and a comma; nothing for a card without a name. */
const titleOf = ({ names }: CardSet, card: number): string => (names?.[card] ? `${names[card]}, ` : '');

function namesOf(
  { window, keep, name, edges, next }: Tile,
  left: number,
  top: number,
  which: string,
): Label[] {
  const x = left + keep.x - window.x + NAME_GAP_MM;
  const y = top - NAME_OFFSET_MM;
  const rest = keep.w - 2 * NAME_GAP_MM - NAME_WIDTH_MM;
  const beyond = [
    ...(next.right ? [`${next.right} at the right${WAYS[edges.right] ?? ''}`] : []),
    ...(next.bottom ? [`${next.bottom} below${WAYS[edges.bottom] ?? ''}`] : []),
  ].join(', ');
  const labels: Label[] = [
    { text: name, box: { x, y, w: NAME_WIDTH_MM, h: NAME_HEIGHT_MM }, align: 'left', size: 11, bold: true },
  ];
  if (rest > NAME_WIDTH_MM) {
    labels.push({
      text: beyond ? `${which}. ${beyond}.` : `${which}.`,
      box: { x: x + NAME_WIDTH_MM, y, w: rest, h: NAME_HEIGHT_MM },
      align: 'left',
      size: TEXT_PT,
    });
  }
  return labels;
}

const WAYS: Readonly<Record<string, string>> = { fold: ' (fold)', slit: ' (slit, not glued)' };

function tabLabels({ window, tabs, next, edges }: Tile, left: number, top: number): Label[] {
  const text = (name: string | undefined, edge: string): string =>
    edge === 'fold' ? `hinge: glue it under ${name}` : `glue it under ${name}`;
  const labels: Label[] = [];
  const box = { x: left, y: top, w: window.w, h: window.h };
  if (tabs.right > 0) {
    labels.push({
      text: text(next.right, edges.right),
      box: { ...box, x: left + window.w, w: tabs.right },
      align: 'center',
      size: TEXT_PT,
      upright: true,
    });
  }
  if (tabs.bottom > 0) {
    labels.push({
      text: text(next.bottom, edges.bottom),
      box: { ...box, y: top + window.h, h: tabs.bottom },
      align: 'center',
      size: TEXT_PT,
    });
  }
  return labels;
}

/** The whole card, small, with its tiles, folds and slits, and how they go together. */
function overview({ cards, settings, plan, room }: Making, card: number): Sheet {
  const { w, h } = cards.size;
  const top = room.y - NAME_ROOM_MM + HEADER_MM;
  const height = room.y + room.h - top;
  const scale = Math.min(1, room.w / w, Math.max(height, 1) / h);
  const at = { x: room.x + (room.w - w * scale) / 2, y: top };
  const place = ({ x1, y1, x2, y2 }: Line): Line => ({
    x1: at.x + x1 * scale,
    y1: at.y + y1 * scale,
    x2: at.x + x2 * scale,
    y2: at.y + y2 * scale,
  });
  const bends = foldLines(settings.boards.fold, cards.size);
  const seams = plan.tiles.flatMap(({ keep, edges }): Line[] => {
    const [right, bottom] = [keep.x + keep.w, keep.y + keep.h];
    return [
      ...(edges.right === 'seam' ? [{ x1: right, y1: keep.y, x2: right, y2: bottom }] : []),
      ...(edges.bottom === 'seam' ? [{ x1: keep.x, y1: bottom, x2: right, y2: bottom }] : []),
    ];
  });
  const placement: Placement = {
    card,
    copy: 0,
    side: 'front',
    ...at,
    turn: 0,
    scale,
    clip: { ...at, w: w * scale, h: h * scale },
  };
  return {
    side: 'front',
    placements: [placement],
    marks: [...seams, ...bends.filter(({ kind }) => kind === 'slit')].map(place),
    folds: bends.filter(({ kind }) => kind === 'fold').map(place),
    labels: [...headerOf(cards, settings, plan, room, card), ...plates(plan.tiles, at, scale)],
    name: 'Overview',
  };
}

function headerOf(
  cards: CardSet,
  { boards }: PrintSettings,
  { columns, rows, tiles }: Tiles,
  room: Rect,
  card: number,
): Label[] {
  const glue =
    boards.split === 'tabs'
      ? 'Cut along the solid lines and around the tabs. Glue each tab under the next page, whose edge comes to the dashed line.'
      : boards.overlap > 0
        ? `Cut along the solid lines. Neighbours share ${boards.overlap} mm: lay each page on the one before, with its edge on the dashed line${boards.crosses ? ' and cross on cross' : ''}, and glue it down.`
        : 'Cut along the solid lines, and tape the pages together from behind.';
  const fold =
    boards.fold === 'none'
      ? ''
      : ' Each page belongs to one panel. Here panels meet at dashed lines, which fold, and at solid ones, which stay cut.';
  const lines: Omit<Label, 'box'>[] = [
    {
      text: `${titleOf(cards, card)}${tiles.length} pages, ${columns} across and ${rows} down`,
      align: 'left',
      size: 11,
      bold: true,
    },
    { text: glue, align: 'left', size: TEXT_PT },
    { text: `Print at 100 %, without “fit to page”.${fold}`, align: 'left', size: TEXT_PT },
  ];
  return lines.map((line, index) => ({
    ...line,
    box: { x: room.x, y: room.y - NAME_OFFSET_MM + index * NAME_HEIGHT_MM, w: room.w, h: NAME_HEIGHT_MM },
  }));
}

/** Tiles' names in their middles. */
function plates(tiles: readonly Tile[], at: { x: number; y: number }, scale: number): Label[] {
  const least = Math.min(...tiles.map(({ keep }) => Math.min(keep.w, keep.h) * scale));
  if (least < LEAST_NAMED_MM) return [];
  const h = Math.min(PLATE_MM.h, least / 2);
  const w = (PLATE_MM.w / PLATE_MM.h) * h;
  return tiles.map(({ name, keep }) => ({
    text: name,
    box: {
      x: at.x + (keep.x + keep.w / 2) * scale - w / 2,
      y: at.y + (keep.y + keep.h / 2) * scale - h / 2,
      w,
      h,
    },
    align: 'center',
    size: (PLATE_PT / PLATE_MM.h) * h,
    bold: true,
    plate: true,
  }));
}
