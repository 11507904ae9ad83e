import { own } from '../../../../core/records.ts';
import { parseColour } from '../../../../core/scene/colour/colour.ts';
import {
  blendSchema,
  type Fill,
  type Filter,
  type GradientStop,
  MAX_FILTERS,
  MAX_GRADIENT_STOPS,
  MAX_SHADOWS,
  type Shadow,
} from '../../../../core/scene/style/paint.ts';
import { cssPxToMm } from '../../../../core/units.ts';

/** Values of CSS as layouts of other programs hold them, in the scene's own terms. What is none answers undefined. */

export function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' ? Number.parseFloat(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** A length in pixels, with or without its unit, in millimetres. */
export function lengthOf(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number === undefined || (typeof value === 'string' && /%|em|vw|vh/.test(value))) return undefined;
  return Math.round(cssPxToMm(number) * 1_000) / 1_000;
}

export const colourOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 64 && (parseColour(value)?.[3] ?? 0) > 0
    ? value.trim()
    : undefined;

/** A space between letters or words as a share of the type size. */
export function spacingOf(value: unknown, sizeMm: number): number | undefined {
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (typeof value === 'string' && /em/.test(value)) return number;
  return sizeMm > 0 ? cssPxToMm(number) / sizeMm : undefined;
}

/** Parts apart by a separator that stands in no parentheses. */
function split(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    if (depth === 0 && separator.test(character)) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '');
}

const COMMA = /,/;
const SPACE = /\s/;

/**
 * The shadows of `box-shadow` or `text-shadow`.
 * @returns `left`, how many could not be read or lie inside the box
 */
export function shadowsOf(value: unknown): { readonly shadows: Shadow[]; readonly left: number } {
  if (typeof value !== 'string' || value.trim() === '' || value.trim() === 'none') {
    return { shadows: [], left: 0 };
  }
  const all = split(value, COMMA);
  const shadows = all.flatMap((one): Shadow[] => {
    const words = split(one, SPACE);
    const color = words.map(colourOf).find((word) => word !== undefined);
    const [dx, dy, blur = 0, spread = 0] = words.flatMap((word) =>
      /^[+-]?[\d.]/.test(word) ? (lengthOf(word) ?? []) : [],
    );
    if (words.includes('inset') || dx === undefined || dy === undefined) return [];
    return [{ color: color ?? '#000000', dx, dy, blur: Math.max(0, blur), spread } as Shadow];
  });
  // Invisible shadows are dropped without a note.
  const unseen = shadows.filter(({ dx, dy, blur, spread }) => !dx && !dy && !blur && !spread);
  return {
    shadows: shadows.filter((shadow) => !unseen.includes(shadow)).slice(0, MAX_SHADOWS),
    left: all.length - Math.min(shadows.length, MAX_SHADOWS + unseen.length),
  };
}

const SIDES: Readonly<Record<string, number>> = {
  'to top': 0,
  'to top right': 45,
  'to right top': 45,
  'to right': 90,
  'to bottom right': 135,
  'to right bottom': 135,
  'to bottom': 180,
  'to bottom left': 225,
  'to left bottom': 225,
  'to left': 270,
  'to top left': 315,
  'to left top': 315,
};

/** A gradient of CSS as a fill. */
export function gradientOf(value: unknown): Fill | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^\s*(linear|radial|conic)-gradient\((.*)\)\s*$/s.exec(value);
  if (!match) return undefined;
  const parts = split(match[2] ?? '', COMMA);
  const first = parts[0] ?? '';
  const led = colourOf(split(first, SPACE)[0]) === undefined;
  const stops = stopsOf(led ? parts.slice(1) : parts, match[1] === 'conic' ? 360 : 100);
  if (stops.length < 2) return undefined;
  const lead = led ? first.toLowerCase() : '';
  const [cx, cy] = centreOf(lead);
  const angle = angleOf(lead) ?? own(SIDES, lead.replace(/\s+/g, ' '));
  switch (match[1]) {
    case 'linear':
      return { kind: 'linear', angle: (angle ?? 180) as never, stops };
    case 'radial':
      // As far as the farthest corner, which is half the diagonal from the middle.
      return { kind: 'radial', cx, cy, radius: 1, stops };
    default:
      return { kind: 'conic', cx, cy, angle: (angle ?? 0) as never, stops };
  }
}

function angleOf(text: string): number | undefined {
  const match = /(-?[\d.]+)(deg|turn|rad|grad)/.exec(text);
  if (!match) return undefined;
  const factor = { deg: 1, turn: 360, rad: 180 / Math.PI, grad: 0.9 }[match[2] as 'deg'];
  return Number(match[1]) * factor;
}

function centreOf(text: string): readonly [x: number, y: number] {
  const match = /at\s+(-?[\d.]+)%\s+(-?[\d.]+)%/.exec(text);
  return match ? [Number(match[1]) / 100, Number(match[2]) / 100] : [0.5, 0.5];
}

/** @param whole what the far end is called in the unit of the stops: 100 %, or 360 degrees */
function stopsOf(parts: readonly string[], whole: number): GradientStop[] {
  const read = parts.slice(0, MAX_GRADIENT_STOPS).flatMap((part) => {
    const words = split(part, SPACE);
    const color = colourOf(words[0]) ?? (parseColour(words[0] ?? '') ? words[0] : undefined);
    if (color === undefined) return [];
    const at = words[1] === undefined ? undefined : numberOf(words[1]);
    const unit = words[1]?.endsWith('deg') ? whole : 100;
    return [{ color, at: at === undefined ? undefined : Math.min(1, Math.max(0, at / unit)) }];
  });
  // Stops without a place stand evenly between those that have one.
  return read.map(({ color, at }, index) => {
    if (at !== undefined) return { color, at };
    const known = (from: number, step: 1 | -1): number => {
      let place = from;
      while (read[place] && read[place]?.at === undefined) place += step;
      return place;
    };
    const [before, after] = [known(index, -1), known(index, 1)];
    const low = read[before]?.at ?? 0;
    const high = read[after]?.at ?? 1;
    const [from, to] = [Math.max(0, before), Math.min(read.length - 1, after)];
    return { color, at: to === from ? low : low + ((high - low) * (index - from)) / (to - from) };
  });
}

const FILTERS: Readonly<Record<string, Filter['kind']>> = {
  blur: 'blur',
  brightness: 'brightness',
  contrast: 'contrast',
  saturate: 'saturate',
  'hue-rotate': 'hue-rotate',
  grayscale: 'grayscale',
  sepia: 'sepia',
  invert: 'invert',
};

/** @returns `left`, the names of filters that are not known */
export function filtersOf(value: unknown): { readonly filters: Filter[]; readonly left: string[] } {
  if (typeof value !== 'string' || value.trim() === 'none') return { filters: [], left: [] };
  const left: string[] = [];
  const filters = [...value.matchAll(/([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)/gi)].flatMap(
    ([, name = '', inner = '']): Filter[] => {
      const kind = own(FILTERS, name.toLowerCase());
      const amount =
        kind === 'blur' ? (lengthOf(inner) ?? 0) : kind === 'hue-rotate' ? angleOf(inner) : shareOf(inner);
      if (kind === undefined || amount === undefined) {
        left.push(name);
        return [];
      }
      return [{ kind, amount: Math.min(360, Math.max(-360, amount)) }];
    },
  );
  return { filters: filters.slice(0, MAX_FILTERS), left };
}

function shareOf(text: string): number | undefined {
  if (text.trim() === '') return 1;
  const number = numberOf(text);
  return number !== undefined && text.includes('%') ? number / 100 : number;
}

export const blendOf = (value: unknown) => blendSchema.safeParse(value).data ?? 'normal';
