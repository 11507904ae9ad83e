import { readReference } from '../images/library.ts';
import { nameOf } from '../images/path.ts';
import type { Op } from '../scene/display/display-list.ts';
import type { Rect } from '../scene/display/matrix.ts';
import { rectOutline } from '../scene/display/outline.ts';
import { defaultTextStyle } from '../scene/style/text-style.ts';
import { shrinkToFit, type TextBox } from '../text/lines/fit.ts';
import { prepareText } from '../text/lines/paragraph.ts';
import { placeText } from '../text/lines/set-text.ts';
import { PLAIN } from '../text/markup/markup.ts';
import type { Assets } from './assets.ts';

const LABEL_SIZE_MM = 2.4;
const LABEL_MIN_MM = 0.8;
const MARGIN_MM = 0.6;

/** Name, for people, of an image that the library does not have. */
export function missingName(source: string): string {
  const reference = readReference(source);
  return reference ? reference.path || 'deleted image' : source;
}

/** Placeholder for an image that the library does not have: a labelled box. */
export function placeholderOps(source: string, box: Rect, assets: Assets): Op[] {
  const frame: Op = {
    op: 'path',
    outline: rectOutline(box),
    fill: { kind: 'solid', color: [236, 239, 244, 1] },
    stroke: null,
  };
  const dashes: Op = {
    op: 'path',
    outline: rectOutline({
      x: box.x + 0.15,
      y: box.y + 0.15,
      w: Math.max(0, box.w - 0.3),
      h: Math.max(0, box.h - 0.3),
    }),
    fill: null,
    stroke: { color: [139, 148, 166, 1], width: 0.2, dash: [1, 0.8] },
  };
  return [frame, dashes, ...labelOps(source, box, assets)];
}

function labelOps(source: string, box: Rect, assets: Assets): Op[] {
  const label = source.startsWith('data:') ? 'embedded image' : nameOf(missingName(source)).slice(0, 60);
  const style = {
    ...defaultTextStyle(),
    family: 'inter',
    color: '#5b6475',
    align: 'center' as const,
    vAlign: 'middle' as const,
  };
  const paragraphs = [{ inlines: [{ kind: 'text' as const, text: label, look: PLAIN }], bullet: false }];
  const prepared = prepareText(paragraphs, style, assets.fonts, () => undefined);
  const inner = {
    x: box.x + MARGIN_MM,
    y: box.y + MARGIN_MM,
    w: box.w - 2 * MARGIN_MM,
    h: box.h - 2 * MARGIN_MM,
  };
  if (!prepared || inner.w <= 1 || inner.h <= 1) return [];
  const room: TextBox = { w: inner.w, h: inner.h, lineHeight: 1.2, paragraphGap: 0 };
  const set = shrinkToFit(prepared, room, LABEL_SIZE_MM, LABEL_MIN_MM);
  if (set.height > inner.h) return [];
  const { runs } = placeText(set, inner, room, style);
  return [{ op: 'text', runs, shadows: [], outline: null }];
}
