import * as z from 'zod';
import { type Zone, zoneSchema } from '../../../../core/scene/zone.ts';

/**
 * Zones and styles that were copied, kept in the browser: so they can be pasted into another layout and
 * in another tab. What cannot be read (another version's, or somebody else's) counts as nothing.
 */
const KEY = 'tuckbox:zones';
/** Most characters kept; a larger selection is not copied. */
const MAX_LENGTH = 2_000_000;

/** How a zone looks, without what it shows and where it lies. */
export type ZoneStyle = Readonly<Record<string, unknown>>;

const storedSchema = z.object({
  zones: z.array(zoneSchema).default([]),
  style: z.record(z.string(), z.unknown()).nullable().default(null),
});

export interface Clipboard {
  readonly zones: readonly Zone[];
  readonly style: ZoneStyle | null;
}

const EMPTY: Clipboard = { zones: [], style: null };

export function readClipboard(): Clipboard {
  try {
    const text = globalThis.localStorage?.getItem(KEY);
    const read = text ? storedSchema.safeParse(JSON.parse(text)) : undefined;
    return read?.success ? read.data : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** Keeps zones, or a style; what was kept of the other stays. */
export function writeClipboard(change: Partial<Clipboard>): void {
  const text = JSON.stringify({ ...readClipboard(), ...change });
  if (text.length > MAX_LENGTH) return;
  try {
    globalThis.localStorage?.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing: copying has no effect, pasting finds nothing.
  }
}

/** What makes a zone look as it does; everything else is its content or its place. */
const STYLE_FIELDS = [
  'opacity',
  'blend',
  'fill',
  'stroke',
  'shadows',
  'filters',
  'mask',
  'radius',
  'style',
  'textShadows',
  'padding',
  'fit',
  'minSize',
] as const;

export function styleOf(zone: Zone): ZoneStyle {
  const fields = zone as unknown as Record<string, unknown>;
  const style: Record<string, unknown> = { kind: zone.kind };
  for (const field of STYLE_FIELDS) if (field in fields) style[field] = fields[field];
  return structuredClone(style);
}

/** The part of a style that a zone can take; `fit` means different things to texts and to images. */
export function withStyle(zone: Zone, style: ZoneStyle): Partial<Zone> {
  const fields = zone as unknown as Record<string, unknown>;
  const taken: Record<string, unknown> = {};
  for (const field of STYLE_FIELDS) {
    if (!(field in style) || !(field in fields) || (field === 'fit' && style.kind !== zone.kind)) continue;
    taken[field] = structuredClone(style[field]);
  }
  const whole = zoneSchema.safeParse({ ...zone, ...taken });
  return whole.success ? (taken as Partial<Zone>) : {};
}
