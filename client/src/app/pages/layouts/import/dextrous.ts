import * as z from 'zod';
import { parseColour } from '../../../../core/scene/colour.ts';
import { newContainerZone, newImageZone, newLayout, newTextZone } from '../../../../core/scene/defaults.ts';
import { SIZE_PRESETS } from '../../../../core/scene/sizes.ts';
import { type Layout, layoutSchema, MAX_DEPTH, MAX_ZONES, type Zone } from '../../../../core/scene/zone.ts';
import { findFamily } from '../../../../core/text/catalogue.ts';
import { cssPxToMm, mmToPt } from '../../../../core/units.ts';

/**
 * Reads a layout that was exported from Dextrous: a tree of zones with CSS-like styles in pixels of
 * 1/96 inch, texts and images bound to columns by their keys. What has no counterpart here is left out
 * and told.
 */

const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''));
const styleSchema = z.record(z.string(), z.unknown()).catch({});
interface Source {
  id: string;
  type: string;
  name: string;
  text: string;
  image: string;
  textDataKey: string;
  imageDataKey: string;
  rotation: number;
  flipX: boolean;
  flipY: boolean;
  toggleIfNoContent: boolean;
  allowTextShrink: boolean;
  allowTextSquash: boolean;
  style: Record<string, unknown>;
  dexStyle: Record<string, unknown>;
  childZones: Source[];
}
const zoneSchema: z.ZodType<Source> = z.object({
  id: text,
  type: text,
  name: text,
  text,
  image: text,
  textDataKey: text,
  imageDataKey: text,
  rotation: z.number().catch(0),
  flipX: z.boolean().catch(false),
  flipY: z.boolean().catch(false),
  toggleIfNoContent: z.boolean().catch(false),
  allowTextShrink: z.boolean().catch(false),
  allowTextSquash: z.boolean().catch(false),
  style: styleSchema,
  dexStyle: styleSchema,
  childZones: z.array(z.lazy(() => zoneSchema)).catch([]),
});
const fileSchema = z.object({
  name: z.string().catch('Imported layout'),
  cardSize: text,
  layoutData: zoneSchema,
});

/** Sizes by the names the other product gives them. */
const SIZES: Readonly<Record<string, string>> = {
  poker: 'poker',
  'euro poker': 'poker-euro',
  bridge: 'bridge',
  tarot: 'tarot',
  mini: 'mini',
  'mini euro': 'mini-euro',
  'mini american': 'mini-american',
  square: 'square-small',
};

export interface ImportedLayout {
  readonly layout: Layout;
  /** What could not be taken over, in words. */
  readonly notes: readonly string[];
}

/** @throws Error saying what is wrong with the file */
export function readDextrousLayout(json: string): ImportedLayout {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new Error(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const file = fileSchema.safeParse(data);
  if (!file.success)
    throw new Error(
      'This is no layout: it has no layoutData, the tree of zones. Export the layout itself, not the project.',
    );
  const reader = new Reader();
  const layout = reader.layout(file.data);
  const checked = layoutSchema.safeParse(layout);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new Error(`The layout cannot be taken over: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return { layout: checked.data, notes: [...reader.notes] };
}

class Reader {
  readonly notes = new Set<string>();
  #count = 0;

  layout({ name, cardSize, layoutData }: z.infer<typeof fileSchema>): Layout {
    const preset = SIZE_PRESETS.find(({ id }) => id === SIZES[cardSize.trim().toLowerCase()]);
    const layout = newLayout(name.slice(0, 120) || 'Imported layout');
    const w = lengthOf(layoutData.style.width) ?? preset?.w ?? layout.size.w;
    const h = lengthOf(layoutData.style.height) ?? preset?.h ?? layout.size.h;
    const { id = 'custom', shape = 'rounded' as const } = preset ?? {};
    layout.size = { ...layout.size, preset: id, shape, w: preset?.w ?? w, h: preset?.h ?? h };
    const ground = colourOf(layoutData.style.bgColor) ?? colourOf(layoutData.style.background);
    if (ground) layout.base.fill = { kind: 'solid', color: ground };
    if (layoutData.image !== '') layout.base.image.source = layoutData.image;
    if (layoutData.imageDataKey !== '')
      layout.base.bindings['image.source'] = { mode: 'column', column: layoutData.imageDataKey };
    layout.zones = this.#zones(layoutData.childZones, 1);
    return layout;
  }

  #zones(sources: readonly Source[], depth: number): Zone[] {
    if (depth > MAX_DEPTH) return [];
    return sources.flatMap((source) => {
      if (this.#count >= MAX_ZONES) {
        this.notes.add(`Only the first ${MAX_ZONES} zones were taken over.`);
        return [];
      }
      return [this.#zone(source, depth)];
    });
  }

  #zone(source: Source, depth: number): Zone {
    const { style } = source;
    const id = `d${++this.#count}`;
    const box = {
      x: lengthOf(style.left) ?? 0,
      y: lengthOf(style.top) ?? 0,
      w: Math.max(0, lengthOf(style.width) ?? 10),
      h: Math.max(0, lengthOf(style.height) ?? 10),
    };
    const zone = this.#kind(source, id, box, depth);
    zone.rotation = source.rotation % 360;
    zone.flipX = source.flipX;
    zone.flipY = source.flipY;
    zone.hideIfEmpty = source.toggleIfNoContent;
    zone.hidden = style.display === 'none';
    zone.opacity = clamp(numberOf(style.opacity) ?? 1, 0, 1);
    if (zone.kind !== 'code') {
      const fill = colourOf(style.bgColor) ?? colourOf(style.background);
      if (fill) zone.fill = { kind: 'solid', color: fill };
    }
    if ('radius' in zone) {
      const radius = Math.max(0, lengthOf(style.borderRadius) ?? 0);
      zone.radius = [radius, radius, radius, radius];
    }
    const outline = lengthOf(style.outlineWidth);
    if (outline && style.outlineStyle !== 'none') {
      zone.stroke = {
        color: colourOf(style.outlineColor) ?? '#000000',
        width: outline,
        align: 'outside',
        dash: [],
      };
    }
    const clip = typeof style.clipPath === 'string' ? style.clipPath.trim() : '';
    if (clip.startsWith('polygon(')) zone.clipPath = clip;
    else if (clip !== '' && clip !== 'none')
      this.notes.add(`The clip shape of «${zone.name}» is no polygon and was left out.`);
    if (style.filter && style.filter !== 'none') this.notes.add(`The filter of «${zone.name}» was left out.`);
    return zone;
  }

  #kind(
    source: Source,
    id: string,
    box: { x: number; y: number; w: number; h: number },
    depth: number,
  ): Zone {
    const name = source.name || source.textDataKey || source.imageDataKey || source.id || 'Zone';
    if (source.type === 'text') return this.#text(source, id, name, box);
    if (source.childZones.length > 0 || source.type === 'container') {
      const zone = newContainerZone(id, name, box);
      const { style } = source;
      zone.arrange = style.display === 'flex' ? 'flex' : 'free';
      zone.direction = oneOf(style.flexDirection, ['row', 'column', 'row-reverse', 'column-reverse'], 'row');
      zone.wrap = style.flexWrap === 'wrap';
      zone.gap = Math.max(0, lengthOf(style.gap) ?? 0);
      zone.justify = oneOf(
        bare(style.justifyContent),
        ['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'],
        'start',
      );
      zone.align = oneOf(bare(style.alignItems), ['start', 'center', 'end', 'stretch'], 'start');
      zone.children = this.#zones(source.childZones, depth + 1);
      return zone;
    }
    const zone = newImageZone(id, name, box);
    zone.source = source.image;
    zone.fit = source.style.backgroundSize === 'contain' ? 'contain' : 'cover';
    if (source.imageDataKey !== '') zone.bindings.source = { mode: 'column', column: source.imageDataKey };
    return zone;
  }

  #text(source: Source, id: string, name: string, box: { x: number; y: number; w: number; h: number }): Zone {
    const zone = newTextZone(id, name, box);
    const { style } = source;
    zone.text = source.text;
    if (source.textDataKey !== '') zone.bindings.text = { mode: 'column', column: source.textDataKey };
    zone.fit = source.allowTextShrink ? 'shrink' : source.allowTextSquash ? 'squash' : 'none';
    const family =
      String(style.fontName ?? style.fontFamily ?? '')
        .replaceAll(/['"]/g, '')
        .split(',')[0] ?? '';
    const known = findFamily(family);
    if (known && !known.fallbackOnly) zone.style.family = known.id;
    else if (family !== '')
      this.notes.add(`The font ${family} is not here: ${zone.style.family} takes its place.`);
    const size = lengthOf(style.fontSize);
    if (size) zone.style.size = clamp(mmToPt(size), 0.5, 2_000);
    zone.style.weight = Number(style.fontWeight) >= 600 || style.fontWeight === 'bold' ? 700 : 400;
    zone.style.italic = style.fontStyle === 'italic';
    zone.style.color = colourOf(style.color) ?? zone.style.color;
    zone.style.lineHeight = clamp(numberOf(style.lineHeight) ?? 1.1, 0.1, 10);
    zone.style.align = oneOf(style.textAlign, ['left', 'center', 'right', 'justify'], 'left');
    zone.style.vAlign =
      ({ center: 'middle', end: 'bottom' } as const)[String(bare(style.alignItems))] ?? 'top';
    zone.style.transform = oneOf(style.textTransform, ['none', 'uppercase', 'lowercase'], 'none');
    zone.columns = clamp(Math.round(numberOf(style.columnCount) ?? 1), 1, 8);
    zone.columnGap = Math.max(0, lengthOf(style.columnGap) ?? zone.columnGap);
    const bend = numberOf(source.dexStyle.ct);
    if (bend) zone.curve = clamp(source.dexStyle.ct_inverted ? -bend : bend, -360, 360);
    const stroke = lengthOf(style['-webkit-text-stroke-width']);
    if (stroke) {
      // There the line lies half under the letters.
      zone.style.outline = {
        color: colourOf(style['-webkit-text-stroke-color']) ?? '#000000',
        width: stroke / 2,
      };
    }
    return zone;
  }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' ? Number.parseFloat(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** A length in pixels, with or without its unit, in millimetres. */
function lengthOf(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number === undefined || (typeof value === 'string' && /%|em|vw|vh/.test(value))) return undefined;
  return Math.round(cssPxToMm(number) * 1_000) / 1_000;
}

const colourOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 64 && (parseColour(value)?.[3] ?? 0) > 0
    ? value.trim()
    : undefined;

const bare = (value: unknown): unknown => (typeof value === 'string' ? value.replace('flex-', '') : value);

function oneOf<const T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find((one) => one === value) ?? fallback;
}
