import type { Layout } from '../../scene/layout.ts';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone, type Zone } from '../../scene/zones.ts';
import { deg } from '../../units.ts';
import { type PrintSettings, pageSize } from '../settings.ts';
import { flipLine } from './reflect.ts';
import type { Label } from './sheet.ts';

/**
 * Marks of a page beside its cards (rulers, calibration scales), as layouts of the page's size: they are set and
 * painted as cards are, on screen and on paper.
 */

/** Height kept free for the ruler at the foot of the page, in millimetres. */
export const RULER_ROOM_MM = 10;
const RULER_MM = 100;
/** Margin that printers leave white. */
const UNPRINTABLE_MM = 5;
const HAIRLINE_MM = 0.15;
const FAMILY = 'inter';
/** Signs with a meaning in a zone's text, which a card's name must not have. */
const MARKUP = /[{}*<>\n]| \/ /g;

class Drawing {
  readonly zones: Zone[] = [];

  line(x1: number, y1: number, x2: number, y2: number): void {
    const half = HAIRLINE_MM / 2;
    const zone = newZone('shape', `l${this.zones.length}`, 'Line', {
      x: Math.min(x1, x2) - half,
      y: Math.min(y1, y2) - half,
      w: Math.abs(x2 - x1) + HAIRLINE_MM,
      h: Math.abs(y2 - y1) + HAIRLINE_MM,
    });
    zone.fill = { kind: 'solid', color: '#000000' };
    zone.stroke = { ...zone.stroke, width: 0 };
    this.zones.push(zone);
  }

  text(
    text: string,
    box: { x: number; y: number; w: number; h: number },
    align: 'left' | 'center',
    size = 7,
  ): void {
    const zone = newZone('text', `t${this.zones.length}`, 'Text', box);
    zone.text = text;
    Object.assign(zone.style, { family: FAMILY, size, align, vAlign: 'middle', color: '#000000' });
    this.zones.push(zone);
  }

  label({ text, box, align, size, bold, upright, plate }: Label): void {
    const { x, y, w, h } = box;
    // A zone is turned about its middle.
    const zone = newZone(
      'text',
      `t${this.zones.length}`,
      'Text',
      upright ? { x: x + w / 2 - h / 2, y: y + h / 2 - w / 2, w: h, h: w } : box,
    );
    zone.text = text.replace(MARKUP, ' ');
    zone.fit = 'ellipsis';
    if (upright) zone.rotation = deg(90);
    if (plate) zone.fill = { kind: 'solid', color: '#ffffff' };
    const weight = bold ? 700 : 400;
    Object.assign(zone.style, { family: FAMILY, size, weight, align, vAlign: 'middle', color: '#000000' });
    this.zones.push(zone);
  }

  layout(name: string, page: { w: number; h: number }): Layout {
    const layout = newLayout(name, { preset: 'custom', w: page.w, h: page.h, shape: 'rect', radius: 0 });
    layout.bleed = 0;
    layout.base.fill = { kind: 'none' };
    layout.zones = this.zones;
    return layout;
  }
}

/** A ruler of 100 mm at the foot of the page: if it measures otherwise, the printer scaled the page. */
export function rulerLayout(page: { readonly w: number; readonly h: number }): Layout {
  const drawing = new Drawing();
  const y = page.h - UNPRINTABLE_MM;
  const length = Math.min(RULER_MM, 10 * Math.floor((page.w - 2 * UNPRINTABLE_MM) / 10));
  const left = UNPRINTABLE_MM;
  drawing.line(left, y, left + length, y);
  for (let at = 0; at <= length; at += 5) {
    drawing.line(left + at, y, left + at, y - (at % 10 === 0 ? 2.5 : 1.5));
  }
  const room = page.w - left - length - 2 * UNPRINTABLE_MM;
  drawing.text(
    room > 40 ? `${length} mm: if it measures otherwise, print at 100 %` : `${length} mm`,
    { x: left + length + 2, y: y - 3.5, w: Math.max(12, room), h: 4 },
    'left',
    6.5,
  );
  return drawing.layout('Ruler', page);
}

/** Text beside the cards of a page. */
export function labelsLayout(
  page: { readonly w: number; readonly h: number },
  labels: readonly Label[],
): Layout {
  const drawing = new Drawing();
  for (const label of labels) drawing.label(label);
  return drawing.layout('Labels', page);
}

/** Longest reading on the calibration scales, in millimetres. */
const SCALE_MM = 10;

/**
 * Two pages to print on both sides of one paper: scales on the front, a cross on the back, where the backs of cards
 * would be. Held against the light, the cross shows on the scales how far the backs must move: the numbers can be typed
 * in as they are read.
 */
export function calibrationLayouts(settings: PrintSettings): { front: Layout; back: Layout } {
  const page = pageSize(settings.page);
  const edge = settings.backs.mode === 'short-edge' ? 'short-edge' : 'long-edge';
  // Seen through the paper, the mirrored axis shows a shift the other way round, and the shift to type in is the
  // opposite of the one seen.
  const upright = flipLine(page, edge).axis === 'upright';
  const signX = upright ? 1 : -1;
  const signY = upright ? -1 : 1;
  const [cx, cy] = [page.w / 2, page.h / 2];
  const front = new Drawing();
  front.line(cx - SCALE_MM, cy, cx + SCALE_MM, cy);
  front.line(cx, cy - SCALE_MM, cx, cy + SCALE_MM);
  for (let at = -SCALE_MM; at <= SCALE_MM; at++) {
    const long = at % 5 === 0 ? 2 : 1;
    front.line(cx + at, cy - long, cx + at, cy + long);
    front.line(cx - long, cy + at, cx + long, cy + at);
    if (at === 0 || at % 5 !== 0) continue;
    front.text(signed(signX * at), { x: cx + at - 4, y: cy + 2.2, w: 8, h: 4 }, 'center');
    front.text(signed(signY * at), { x: cx + 2.4, y: cy + at - 2, w: 8, h: 4 }, 'left');
  }
  const box = { x: cx - 70, w: 140, h: 8 };
  front.text(
    'Front: print both pages on one paper, then hold it against the light.',
    { ...box, y: cy - 40 },
    'center',
    10,
  );
  front.text(
    'Where the cross of the back falls on the level scale: add that to “Shift right”.',
    { ...box, y: cy - 32 },
    'center',
    9,
  );
  front.text(
    'Where it falls on the upright scale: add that to “Shift down”.',
    { ...box, y: cy - 26 },
    'center',
    9,
  );
  const back = new Drawing();
  const [bx, by] = [cx + settings.backs.nudgeX, cy + settings.backs.nudgeY];
  back.line(bx - 30, by, bx + 30, by);
  back.line(bx, by - 18, bx, by + 18);
  back.text('Back', { ...box, y: cy + 30 }, 'center', 10);
  return { front: front.layout('Calibration, front', page), back: back.layout('Calibration, back', page) };
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : `−${-value}`;
}
