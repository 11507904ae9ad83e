import * as z from 'zod';
import type { Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { ZONES, type ZoneKind } from '../../scene/zones.ts';
import { ImpositionError } from '../error.ts';
import type { PrintPart } from '../job/print-job.ts';
import type { Turn } from '../settings.ts';
import { contactSheets } from './contact-sheet.ts';
import { fileName, safeName, UniqueNames } from './file-names.ts';
import {
  type BundleEntry,
  type Encoding,
  EXTENSIONS,
  type Painting,
  type PaintingItem,
  tooLargeFor,
} from './painting.ts';

/** Resolution that sizes in per cent refer to: CSS pixels, as in imported layouts. */
export const FULL_SIZE_DPI = 96;
export const MAX_DPI = 1_200;
/** Most images of one export. */
export const MAX_IMAGE_FILES = 50_000;

export const imageFileSettingsSchema = z.object({
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  /** 1 to 100, of JPEG and WebP. */
  quality: z.number().int().min(1).max(100),
  dpi: z.number().min(10).max(MAX_DPI),
  /** Show what lies outside the trim. */
  bleed: z.boolean(),
  /** Transparent corners outside the trim (white in JPEG). */
  cut: z.boolean(),
  backs: z.boolean(),
  /** An image for every copy, or one for each card. */
  copies: z.enum(['each', 'one']),
  template: z.string().max(300),
  contactSheet: z.boolean(),
});
export type ImageFileSettings = z.infer<typeof imageFileSettingsSchema>;

/** @param how `size` is the exact size in pixels; by default it follows from the resolution */
export function cardPainting(
  part: { readonly layout: Layout; readonly columns: PaintingItem['columns'] },
  row: Row,
  how: {
    readonly dpi: number;
    readonly bleed: number;
    readonly clipToTrim: boolean;
    readonly opaque: boolean;
    readonly size?: { readonly width: number; readonly height: number };
    readonly turn?: Turn;
  },
): Painting {
  const scale = how.dpi / 25.4;
  const { turn = 0 } = how;
  const { size } = part.layout;
  const [w, h] = turn % 180 === 0 ? [size.w, size.h] : [size.h, size.w];
  const width = how.size?.width ?? Math.max(1, Math.round((w + 2 * how.bleed) * scale));
  const height = how.size?.height ?? Math.max(1, Math.round((h + 2 * how.bleed) * scale));
  const x = (width - w * scale) / 2;
  const y = (height - h * scale) / 2;
  const item: PaintingItem = {
    layout: part.layout,
    row,
    columns: part.columns,
    x,
    y,
    scale,
    turn,
    // Reaches every edge of the canvas.
    bleed: Math.max(how.bleed, x / scale, y / scale),
    clipToTrim: how.clipToTrim,
    lowInk: false,
  };
  return { width, height, background: how.opaque ? '#ffffff' : null, items: [item], lines: [] };
}

/**
 * The files of an export as images: a folder for each component, `fronts` and `backs` in it when there are both.
 * @throws ImpositionError when an image would be too large or there would be too many
 */
export function imageEntries(parts: readonly PrintPart[], settings: ImageFileSettings): BundleEntry[] {
  const encoding: Encoding = { type: settings.type, quality: settings.quality / 100, dpi: settings.dpi };
  const ending = `.${EXTENSIONS[settings.type]}`;
  const entries: BundleEntry[] = [];
  const folders = new UniqueNames();
  for (const part of parts) {
    const root = parts.length > 1 ? `${folders.take(safeName(part.name) || 'component', '')}/` : '';
    const withBacks = settings.backs && part.back !== null;
    check(part, settings);
    for (const side of withBacks ? (['fronts', 'backs'] as const) : (['fronts'] as const)) {
      const layout = side === 'fronts' ? part.layout : part.back;
      if (!layout) continue;
      const names = new UniqueNames();
      const folder = withBacks ? `${root}${side}/` : root;
      for (const [card, { row, copies }] of part.cards.entries()) {
        const most = settings.copies === 'each' ? copies : Math.min(1, copies);
        for (let copy = 1; copy <= most; copy++) {
          const name = fileName(settings.template, {
            component: part.name,
            columns: part.columns,
            row,
            card,
            copy,
            count: part.cards.length,
          });
          const painting = cardPainting(
            { layout, columns: part.columns },
            { index: card + 1, count: part.cards.length, ...row },
            {
              dpi: settings.dpi,
              bleed: settings.bleed ? (layout.bleed as number) : 0,
              clipToTrim: settings.cut && !settings.bleed,
              opaque: settings.type === 'image/jpeg',
            },
          );
          entries.push({
            name: `${folder}${names.take(name, ending)}`,
            kind: 'painting',
            painting,
            encoding,
          });
          if (entries.length > MAX_IMAGE_FILES) {
            throw new ImpositionError(
              `These are more than ${MAX_IMAGE_FILES} pictures: check the copies, or export fewer components.`,
            );
          }
        }
      }
    }
    if (settings.contactSheet) {
      for (const [index, painting] of contactSheets(part).entries()) {
        entries.push({
          name: `${root}contact sheet ${index + 1}.png`,
          kind: 'painting',
          painting,
          encoding: { type: 'image/png', quality: 1, dpi: FULL_SIZE_DPI },
        });
      }
    }
  }
  return entries;
}

function check({ layout, name }: PrintPart, { dpi, type, bleed }: ImageFileSettings): void {
  const around = bleed ? 2 * (layout.bleed as number) : 0;
  const [width, height] = [layout.size.w, layout.size.h].map((side) =>
    Math.max(1, Math.round((side + around) * (dpi / 25.4))),
  ) as [number, number];
  const limit = tooLargeFor(type, width, height);
  if (limit === undefined) return;
  throw new ImpositionError(
    `${name || 'A card'} would have ${width} × ${height} pixels: ${limit}, or fewer dots per inch.`,
  );
}

/** True if all cards look the same in a layout: nothing in it depends on a cell. */
export function isStatic(layout: Layout): boolean {
  return !asksForCells([layout.base.bindings, layout.zones]);
}

function asksForCells(value: unknown): boolean {
  // Braces in a text may name a column.
  if (typeof value === 'string') return value.includes('{');
  if (typeof value !== 'object' || value === null) return false;
  const { mode, kind } = value as { mode?: unknown; kind?: unknown };
  if (mode === 'column' || mode === 'formula') return true;
  if (typeof kind === 'string' && Object.hasOwn(ZONES, kind) && ZONES[kind as ZoneKind].variesByCard)
    return true;
  return Object.values(value).some(asksForCells);
}
