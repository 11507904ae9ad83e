import type { Rgba } from '../display/display-list.ts';
import { NAMED_COLOURS } from './colour-names.ts';

/**
 * Reads a CSS colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`, `hsl()`, `hsla()`,
 * a colour name or `transparent`. Undefined for anything else.
 */
export function parseColour(text: string): Rgba | undefined {
  const value = text.trim().toLowerCase();
  if (value.startsWith('#')) return parseHex(value.slice(1));
  if (value === 'transparent') return [0, 0, 0, 0];
  const named = Object.hasOwn(NAMED_COLOURS, value) ? NAMED_COLOURS[value] : undefined;
  if (named !== undefined) return parseHex(named);
  return parseFunction(value);
}

function parseHex(digits: string): Rgba | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined;
  const wide = digits.length > 4 ? digits : [...digits].map((digit) => digit + digit).join('');
  const byte = (at: number): number => Number.parseInt(wide.slice(at, at + 2), 16);
  return [byte(0), byte(2), byte(4), wide.length === 8 ? byte(6) / 255 : 1];
}

function parseFunction(value: string): Rgba | undefined {
  const match = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value);
  const parts = match?.[2]?.split(/[\s,/]+/).filter((part) => part !== '') ?? [];
  if (!match || parts.length < 3 || parts.length > 4) return undefined;
  const alpha = parts[3] === undefined ? 1 : share(parts[3], 1);
  if (match[1] === 'hsl') {
    const hue = Number.parseFloat(parts[0] ?? '');
    return fromHsl(hue, share(parts[1] ?? '', 1), share(parts[2] ?? '', 1), alpha);
  }
  const [r, g, b] = parts.slice(0, 3).map((part) => share(part, 255));
  return checked(r ?? Number.NaN, g ?? Number.NaN, b ?? Number.NaN, alpha);
}

/** A number, or a percentage of `whole`. */
function share(text: string, whole: number): number {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  return text.endsWith('%') ? (number / 100) * whole : number;
}

function fromHsl(hue: number, saturation: number, lightness: number, alpha: number): Rgba | undefined {
  const turn = ((hue % 360) + 360) % 360;
  const amplitude = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + turn / 30) % 12;
    return (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255;
  };
  return checked(channel(0), channel(8), channel(4), alpha);
}

function checked(r: number, g: number, b: number, alpha: number): Rgba | undefined {
  if ([r, g, b, alpha].some((value) => Number.isNaN(value))) return undefined;
  const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
  return [byte(r), byte(g), byte(b), Math.min(1, Math.max(0, alpha))];
}

/** CSS text of a colour. */
export function formatColour([r, g, b, alpha]: Rgba): string {
  return `rgba(${r},${g},${b},${alpha})`;
}
