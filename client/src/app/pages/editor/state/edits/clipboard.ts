import * as z from 'zod';
import { type Zone, zoneSchema } from '../../../../../core/scene/zones.ts';
import { saveUserObject, userObjectStore } from '../../../../../data/user-object/use-user-object.ts';

/**
 * Zones and styles that were copied, kept in the browser: so they can be pasted into another layout and
 * in another tab. Zones are kept with the account, too, for other devices; what was copied last is pasted. What cannot
 * be read (another version's, or somebody else's) counts as nothing.
 */
const KEY = 'tuckbox:zones';
/** Most characters kept; a larger selection is not copied. */
const MAX_LENGTH = 2_000_000;
/** Most characters kept with the account: its settings are one document. */
export const MAX_SHARED_LENGTH = 200_000;

/** Appearance of a zone, without its content and position. */
export type ZoneStyle = Readonly<Record<string, unknown>>;

const storedSchema = z.object({
  zones: z.array(zoneSchema).default([]),
  style: z.record(z.string(), z.unknown()).nullable().default(null),
  /** When the zones were copied, in milliseconds since 1970. */
  at: z.number().default(0),
});

/** Copied zones as the account keeps them: as text, since documents hold no lists of lists. */
const sharedSchema = z.object({ at: z.number(), zones: z.string().max(MAX_SHARED_LENGTH) });

export interface Clipboard {
  readonly zones: readonly Zone[];
  readonly style: ZoneStyle | null;
}

type Kept = Clipboard & { readonly at: number };

const EMPTY: Kept = { zones: [], style: null, at: 0 };

function readKept(): Kept {
  try {
    const text = globalThis.localStorage?.getItem(KEY);
    const read = text ? storedSchema.safeParse(JSON.parse(text)) : undefined;
    return read?.success ? read.data : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** The zones that some device of the account copied last. */
function readShared(): Pick<Kept, 'zones' | 'at'> {
  const found = sharedSchema.safeParse(userObjectStore()?.snapshot().object.globalZoneClipBoard[0]);
  if (!found.success) return EMPTY;
  try {
    const zones = z.array(zoneSchema).safeParse(JSON.parse(found.data.zones));
    return zones.success ? { zones: zones.data, at: found.data.at } : EMPTY;
  } catch {
    return EMPTY;
  }
}

export function readClipboard(): Clipboard {
  const kept = readKept();
  const shared = readShared();
  return { zones: shared.at > kept.at ? shared.zones : kept.zones, style: kept.style };
}

/** Keeps zones, or a style; what was kept of the other stays. */
export function writeClipboard(change: Partial<Clipboard>): void {
  const at = change.zones ? Date.now() : readKept().at;
  const text = JSON.stringify({ ...readKept(), ...change, at });
  if (text.length > MAX_LENGTH) return;
  const zones = change.zones && JSON.stringify(change.zones);
  if (zones && zones.length <= MAX_SHARED_LENGTH)
    void saveUserObject({ globalZoneClipBoard: [{ at, zones }] });
  try {
    globalThis.localStorage?.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing: copying has no effect, pasting finds nothing.
  }
}

/** Fields of a zone's appearance; all others are its content or position. */
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
