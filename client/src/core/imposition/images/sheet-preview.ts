import { EMPTY_ROW } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { artOf, type PrintPart } from '../job/print-job.ts';
import type { PrintSettings } from '../settings.ts';
import { labelsLayout, rulerLayout } from '../sheets/page-marks.ts';
import type { Placement, Sheet, SheetPlan } from '../sheets/sheet.ts';
import type { Painting, PaintingItem, PaintingLine } from './painting.ts';

const FOLD = { color: '#6e6e6e', width: 0.15, dash: [2, 1.5] } as const;
/** Thinner lines would vanish on a screen. */
const THINNEST_PX = 0.75;

/**
 * A sheet as a painting, for the preview.
 * @param scale pixels per millimetre
 */
export function sheetPreview(
  part: PrintPart,
  plan: SheetPlan,
  sheet: Sheet,
  settings: PrintSettings,
  scale: number,
): Painting {
  const items = sheet.placements.flatMap((placement): PaintingItem[] => {
    const art = artOf(part, placement, settings);
    if (!art) return [];
    return [
      {
        layout: art.layout,
        row: art.row,
        columns: part.columns,
        ...placeOf(placement, scale),
        turn: placement.turn,
        bleed: plan.bleed,
        clipToTrim: false,
        lowInk: settings.lowInk,
      },
    ];
  });
  if (settings.ruler && settings.arrangement === 'sheets' && sheet.side !== 'back') {
    items.push(pageItem(rulerLayout(plan), scale));
  }
  if (sheet.labels && sheet.labels.length > 0) items.push(pageItem(labelsLayout(plan, sheet.labels), scale));
  const { color, width } = settings.marks;
  const line =
    (style: { color: string; width: number; dash: readonly number[] }) =>
    ({ x1, y1, x2, y2 }: { x1: number; y1: number; x2: number; y2: number }): PaintingLine => ({
      x1: x1 * scale,
      y1: y1 * scale,
      x2: x2 * scale,
      y2: y2 * scale,
      color: style.color,
      width: Math.max(THINNEST_PX, style.width * scale),
      dash: style.dash.map((part) => part * scale),
    });
  return {
    width: Math.max(1, Math.round(plan.w * scale)),
    height: Math.max(1, Math.round(plan.h * scale)),
    background: '#ffffff',
    items,
    lines: [...sheet.marks.map(line({ color, width, dash: [] })), ...sheet.folds.map(line(FOLD))],
  };
}

function placeOf(
  { x, y, scale: own = 1, clip }: Placement,
  scale: number,
): Pick<PaintingItem, 'x' | 'y' | 'scale' | 'clip'> {
  return {
    x: x * scale,
    y: y * scale,
    scale: own * scale,
    ...(clip && { clip: { x: clip.x * scale, y: clip.y * scale, w: clip.w * scale, h: clip.h * scale } }),
  };
}

/** Things printed on the page beside the cards. */
const pageItem = (layout: Layout, scale: number): PaintingItem => ({
  layout,
  row: EMPTY_ROW,
  columns: [],
  x: 0,
  y: 0,
  scale,
  turn: 0,
  bleed: 0,
  clipToTrim: false,
  lowInk: false,
});
