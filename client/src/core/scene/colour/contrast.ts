import { parseColour } from './colour.ts';

/** Contrast of colours as the Web Content Accessibility Guidelines reckon it; colours are taken as opaque. */

/** The least that large letters need. */
export const LEAST_CONTRAST = 3;
const [LIGHT, DARK] = ['#ffffff', '#1f2430'];

function luminance(colour: string): number | undefined {
  const rgba = parseColour(colour);
  if (!rgba) return undefined;
  const [r = 0, g = 0, b = 0] = rgba.slice(0, 3).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Ratio of two colours, 1 to 21; undefined where one cannot be read. */
export function contrast(one: string, other: string): number | undefined {
  const [a, b] = [luminance(one), luminance(other)];
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colour of letters on a ground: the wanted one, or light or dark where that could not be read there. */
export function readableOn(ground: string, wanted: string): string {
  if ((contrast(ground, wanted) ?? LEAST_CONTRAST) >= LEAST_CONTRAST) return wanted;
  return (contrast(ground, LIGHT) ?? 0) >= (contrast(ground, DARK) ?? 0) ? LIGHT : DARK;
}
