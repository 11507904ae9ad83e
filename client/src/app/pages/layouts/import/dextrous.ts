import * as z from 'zod';
import { isDeeperThan } from '../../../../core/json-depth.ts';
import { own } from '../../../../core/records.ts';
import { type Layout, layoutSchema, type Variable } from '../../../../core/scene/layout.ts';
import { MAX_DEPTH, MAX_NAME_LENGTH, MAX_ZONES } from '../../../../core/scene/limits.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { SIZE_PRESETS } from '../../../../core/scene/sizes.ts';
import { newPlacement } from '../../../../core/scene/style/image-placement.ts';
import type { Fill, Sides } from '../../../../core/scene/style/paint.ts';
import type { ImageZone } from '../../../../core/scene/zones/image.ts';
import { newZone, type Zone } from '../../../../core/scene/zones.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import { findFamily } from '../../../../core/text/fonts/catalogue.ts';
import { isolated } from '../../../../core/text/names.ts';
import { mmToPt, ptToMm } from '../../../../core/units.ts';
import {
  blendOf,
  colourOf,
  filtersOf,
  gradientOf,
  lengthOf,
  numberOf,
  shadowsOf,
  spacingOf,
} from './css-values.ts';

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
  innerDivStyle: Record<string, unknown>;
  dataKeyBools: Record<string, unknown>;
  imagePositionDataKey: string;
  useCustomCSS: boolean;
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
  innerDivStyle: styleSchema,
  dataKeyBools: styleSchema,
  imagePositionDataKey: text,
  useCustomCSS: z.boolean().catch(false),
  childZones: z.array(z.lazy(() => zoneSchema)).catch([]),
});
const fileSchema = z.object({
  name: z.string().catch('Imported layout'),
  cardSize: text,
  variables: z.array(styleSchema).catch([]),
  tags: z.array(z.string()).catch([]),
  customColors: z.array(z.unknown()).catch([]),
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
  /** As the file has them. */
  readonly tags: readonly string[];
  /** The colours kept with the layout, for a palette. */
  readonly colours: readonly string[];
  /** Notes on properties that could not be imported. */
  readonly notes: readonly string[];
}

/** Most lists and objects of a file within one another; each zone within another takes two. */
const MAX_FILE_DEPTH = 500;

/** @throws Error saying what is wrong with the file */
export function readDextrousLayout(json: string): ImportedLayout {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new Error(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (isDeeperThan(data, MAX_FILE_DEPTH)) {
    throw new Error(
      `This layout has more than ${MAX_FILE_DEPTH} lists or objects within one another: make it flatter.`,
    );
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
  const colours = reader.colours(file.data.customColors);
  return { layout: checked.data, tags: file.data.tags, colours, notes: [...reader.notes] };
}

/** Most variables taken over. */
const MAX_VARIABLES = 1_000;

class Reader {
  readonly notes = new Set<string>();
  /** Zones whose looks follow the table. */
  readonly #driven: string[] = [];
  #count = 0;

  layout({ name, cardSize, layoutData, variables }: z.infer<typeof fileSchema>): Layout {
    const preset = SIZE_PRESETS.find(({ id }) => id === own(SIZES, cardSize.trim().toLowerCase()));
    const layout = newLayout(cutText(name, 120) || 'Imported layout');
    const w = lengthOf(layoutData.style.width) ?? preset?.w ?? layout.size.w;
    const h = lengthOf(layoutData.style.height) ?? preset?.h ?? layout.size.h;
    const { id = 'custom', shape = 'rounded' as const } = preset ?? {};
    layout.size = { ...layout.size, preset: id, shape, w: preset?.w ?? w, h: preset?.h ?? h };
    const ground = groundOf(layoutData.style);
    if (ground) layout.base.fill = ground;
    if (layoutData.image !== '') layout.base.image.source = layoutData.image;
    if (layoutData.imageDataKey !== '')
      layout.base.bindings['image.source'] = { mode: 'column', column: layoutData.imageDataKey };
    layout.zones = this.#zones(layoutData.childZones, 1);
    layout.variables = this.#variables(variables);
    const [driven] = this.#driven;
    if (driven !== undefined) {
      const others =
        this.#driven.length > 1 ? `, and of ${this.#driven.length - 1} zones more in theirs` : '';
      this.notes.add(
        `How «${driven}» looks on single cards belongs into the column «${driven} style»${others}.`,
      );
    }
    return layout;
  }

  /** Each as text, or as an object that holds it under one of the usual names. */
  colours(sources: readonly unknown[]): string[] {
    const read = sources.map((source) => {
      const { color, hex, value } = styleSchema.parse(source);
      return [source, color, hex, value].map(colourOf).find((colour) => colour !== undefined);
    });
    const known = read.filter((colour) => colour !== undefined);
    const lost = read.length - known.length;
    if (lost > 0) {
      this.notes.add(
        lost === 1 ? 'One of its own colours was left out.' : `${lost} of its own colours were left out.`,
      );
    }
    return [...new Set(known)];
  }

  /** A text, an icon where it names an image, or a style where it holds one. */
  #variables(sources: readonly Record<string, unknown>[]): Variable[] {
    const word = (source: Record<string, unknown>, keys: readonly string[]): string =>
      keys.map((key) => source[key]).find((value): value is string => typeof value === 'string') ?? '';
    let lost = 0;
    const taken = new Map<string, Variable>();
    for (const source of sources.slice(0, MAX_VARIABLES)) {
      const name = cutText(word(source, ['name', 'key', 'label', 'id']).trim(), MAX_NAME_LENGTH);
      const value = word(source, ['value', 'text', 'content', 'image']);
      const look = styleSchema.parse(source.style);
      if (name === '' || (value === '' && Object.keys(look).length === 0)) lost++;
      else if (value !== '' && IMAGE.test(value)) {
        taken.set(name, { kind: 'icon', name, source: value, size: 1, offset: 0 });
      } else if (value !== '') taken.set(name, { kind: 'text', name, value });
      else {
        const color = colourOf(look.color);
        const family = familyOf(look);
        const heavy = weightOf(look.fontWeight);
        taken.set(name, {
          kind: 'style',
          name,
          style: {
            ...(color && { color }),
            ...(family && { family }),
            ...(look.fontWeight !== undefined && { weight: heavy }),
            ...(look.fontStyle !== undefined && { italic: look.fontStyle === 'italic' }),
          },
        });
      }
    }
    lost += Math.max(0, sources.length - MAX_VARIABLES);
    if (lost > 0) this.notes.add(`${lost} ${lost === 1 ? 'variable was' : 'variables were'} left out.`);
    return [...taken.values()];
  }

  #zones(sources: readonly Source[], depth: number): Zone[] {
    if (depth > MAX_DEPTH) {
      if (sources.length > 0) this.notes.add(`Zones within more than ${MAX_DEPTH} others were left out.`);
      return [];
    }
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
    zone.blend = blendOf(style.mixBlendMode);
    zone.flex = {
      grow: clamp(numberOf(style.flex) ?? 0, 0, 100),
      shrink: 1,
      absolute: style.position === 'absolute',
    };
    const fill =
      groundOf(style) ?? (zone.kind === 'image' ? undefined : imageFillOf(source.image || style.bgImage));
    if (fill) zone.fill = fill;
    const shadows = shadowsOf(style.boxShadow);
    zone.shadows = shadows.shadows;
    if (shadows.left > 0) this.notes.add(`Shadows inside «${isolated(zone.name)}» were left out.`);
    this.#told(source, zone.name);
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
      this.notes.add(`The clip shape of «${isolated(zone.name)}» is no polygon and was left out.`);
    const { filters, left } = filtersOf(style.filter);
    zone.filters = filters;
    for (const name of left) this.notes.add(`The filter ${name} of «${isolated(zone.name)}» was left out.`);
    return zone;
  }

  /** Notes properties without a counterpart, or with one elsewhere. */
  #told({ style, dataKeyBools, imagePositionDataKey, useCustomCSS }: Source, name: string): void {
    if (useCustomCSS) this.notes.add(`The CSS written for «${name}» was left out.`);
    if (style.textDecoration && style.textDecoration !== 'none') {
      this.notes.add(`The line through or under the text of «${name}» was left out.`);
    }
    if (imagePositionDataKey !== '') {
      this.notes.add(
        `The image of «${name}» does not follow the column «${imagePositionDataKey}» in its place.`,
      );
    }
    if (Object.values(dataKeyBools).includes(true)) this.#driven.push(name);
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
      const zone = newZone('container', id, name, box);
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
      zone.padding = sidesOf(source);
      zone.children = this.#zones(source.childZones, depth + 1);
      return zone;
    }
    const zone = newZone('image', id, name, box);
    zone.source = source.image;
    placeImage(zone, source.style);
    if (source.imageDataKey !== '') zone.bindings.source = { mode: 'column', column: source.imageDataKey };
    return zone;
  }

  #text(source: Source, id: string, name: string, box: { x: number; y: number; w: number; h: number }): Zone {
    const zone = newZone('text', id, name, box);
    const { style } = source;
    zone.text = source.text;
    if (source.textDataKey !== '') zone.bindings.text = { mode: 'column', column: source.textDataKey };
    zone.fit = source.allowTextShrink ? 'shrink' : source.allowTextSquash ? 'squash' : 'none';
    const family = familyOf(style);
    if (family) zone.style.family = family;
    else if (fontNameOf(style) !== '')
      this.notes.add(`The font ${fontNameOf(style)} is not here: ${zone.style.family} takes its place.`);
    const size = lengthOf(style.fontSize);
    if (size) zone.style.size = clamp(mmToPt(size), 0.5, 2_000);
    const em = size ?? ptToMm(zone.style.size);
    zone.style.letterSpacing = clamp(spacingOf(style.letterSpacing, em) ?? 0, -1, 5);
    zone.style.wordSpacing = clamp(spacingOf(style.wordSpacing, em) ?? 0, -1, 10);
    zone.style.smallCaps = style.fontVariant === 'small-caps';
    zone.textShadows = shadowsOf(style.textShadow).shadows;
    zone.padding = sidesOf(source);
    zone.style.weight = weightOf(style.fontWeight);
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

const bare = (value: unknown): unknown => (typeof value === 'string' ? value.replace('flex-', '') : value);

function oneOf<const T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find((one) => one === value) ?? fallback;
}

const IMAGE = /^[^{}\n]{1,400}\.(?:png|jpe?g|webp|svg|gif|avif)$/i;

const weightOf = (value: unknown): number => {
  const number = numberOf(value);
  if (number === undefined) return value === 'bold' ? 700 : 400;
  return clamp(Math.round(number), 1, 1_000);
};

const fontNameOf = (style: Record<string, unknown>): string =>
  (
    String(style.fontName ?? style.fontFamily ?? '')
      .replaceAll(/['"]/g, '')
      .split(',')[0] ?? ''
  ).trim();

/** The family of that name, where it is here. */
function familyOf(style: Record<string, unknown>): string | undefined {
  const known = findFamily(fontNameOf(style));
  return known && !known.fallbackOnly ? known.id : undefined;
}

/** The gradient or the colour under a zone. */
function groundOf(style: Record<string, unknown>): Fill | undefined {
  const gradient = gradientOf(style.bgGradient) ?? gradientOf(style.background);
  if (gradient) return gradient;
  const color = colourOf(style.bgColor) ?? colourOf(style.background);
  return color ? { kind: 'solid', color } : undefined;
}

/** A picture under a text or a group. */
function imageFillOf(source: unknown): Fill | undefined {
  if (typeof source !== 'string') return undefined;
  const path = source.replace(/^url\(["']?|["']?\)$/g, '').trim();
  if (path === '' || path === 'none') return undefined;
  return { kind: 'image', source: path, ...newPlacement() };
}

function placeImage(zone: ImageZone, style: Record<string, unknown>): void {
  const tile = lengthOf(style.backgroundSize);
  zone.fit = style.backgroundSize === 'contain' ? 'contain' : 'cover';
  if (style.backgroundRepeat === 'repeat' && tile !== undefined) {
    zone.fit = 'tile';
    zone.tile = Math.max(0.1, tile);
  }
  const place = (value: unknown): number | undefined => {
    const word = { left: 0, top: 0, center: 50, right: 100, bottom: 100 }[String(value)];
    return word ?? (typeof value === 'string' && value.endsWith('px') ? undefined : numberOf(value));
  };
  zone.posX = clamp(place(style.backgroundPositionX) ?? zone.posX, -1_000, 1_000);
  zone.posY = clamp(place(style.backgroundPositionY) ?? zone.posY, -1_000, 1_000);
}

/** Room between a zone's edge and what it holds: top, right, bottom, left. */
function sidesOf({ style, innerDivStyle }: Source): Sides {
  const margins = Array.isArray(innerDivStyle.margins) ? innerDivStyle.margins : [];
  const side = (name: string, index: number): number =>
    Math.max(
      0,
      lengthOf(style[`padding${name}`]) ?? lengthOf(style.padding) ?? 0,
      lengthOf(innerDivStyle[`margin${name}`]) ?? lengthOf(margins[index]) ?? 0,
    );
  return [side('Top', 0), side('Right', 1), side('Bottom', 2), side('Left', 3)];
}
