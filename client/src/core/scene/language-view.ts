import { sameDocument } from './changes/same-document.ts';
import type { Layout } from './layout.ts';
import { type LanguageOverride, OWN_PROPERTIES, OWN_STYLE } from './zones/language-override.ts';
import { isParent, type Zone } from './zones.ts';

/**
 * A layout in one language: each zone with the properties that it has of its own there. The way back writes what was
 * changed in that view to where it belongs: place, size and type to the language, everything else to all of them.
 */

type Fields = Record<string, unknown>;

const overrideOf = (zone: Zone, language: string): LanguageOverride | undefined => zone.languages?.[language];

/** A zone in a language; the zone itself where the language changes nothing. Zones inside are as they were. */
export function zoneInLanguage<Z extends Zone>(zone: Z, language: string): Z {
  const own = overrideOf(zone, language);
  if (!own) return zone;
  const { style, ...rest } = own;
  const changed = { ...zone, ...rest } as Z;
  return style && 'style' in zone ? { ...changed, style: { ...zone.style, ...style } } : changed;
}

/** Properties in which a zone differs in a language, as paths such as `style.size`. */
export function ownPaths(zone: Zone, language: string): string[] {
  const { style = {}, ...rest } = overrideOf(zone, language) ?? {};
  return [...Object.keys(rest), ...Object.keys(style).map((key) => `style.${key}`)];
}

/** Takes out what a zone has of its own in a language, or the properties of some paths. */
export function resetLanguage(zone: Zone, language: string, paths = ownPaths(zone, language)): void {
  const own = overrideOf(zone, language);
  if (!own) return;
  const left = structuredClone(plain(own));
  for (const path of paths) {
    const [key = '', inner] = path.split('.');
    if (inner === undefined) delete (left as Fields)[key];
    else if (left.style) delete (left.style as Fields)[inner];
  }
  keep(zone, language, left);
}

/** A draft's value as plain data. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function keep(zone: Zone, language: string, own: LanguageOverride): void {
  if (own.style && Object.keys(own.style).length === 0) delete own.style;
  const { [language]: _, ...others } = zone.languages ?? {};
  const next = Object.keys(own).length === 0 ? others : { ...others, [language]: own };
  if (Object.keys(next).length === 0) delete zone.languages;
  else zone.languages = next;
}

/** A language alone changes these, so that even the value of all languages has to be stated. */
const DERIVED: ReadonlySet<string> = new Set(['align', 'hyphenate']);

interface Placed {
  readonly zone: Zone;
  /** Id of the zone around it; empty for the card. */
  readonly parent: string;
}

function placed(zones: readonly Zone[], parent = '', found = new Map<string, Placed>()): Map<string, Placed> {
  for (const zone of zones) {
    found.set(zone.id, { zone, parent });
    if (isParent(zone)) placed(zone.children, zone.id, found);
  }
  return found;
}

/**
 * The document after changes that were made to a view of it.
 * @param before the view, made of `document`
 * @param after the view as it was changed
 */
export function foldLanguage(document: Layout, before: Layout, after: Layout, language: string): Layout {
  if (after === before) return document;
  const [stored, was] = [placed(document.zones), placed(before.zones)];
  const fold = (zone: Zone, parent: string): Zone => {
    const [own, then] = [stored.get(zone.id), was.get(zone.id)];
    const children = isParent(zone) ? zone.children.map((child) => fold(child, zone.id)) : undefined;
    if (!own || !then) return children ? ({ ...zone, children } as Zone) : zone;
    if (zone === then.zone && parent === own.parent) return own.zone;
    const folded = foldZone(own.zone, then.zone, zone, language, own.parent !== parent);
    return children ? ({ ...folded, children } as Zone) : folded;
  };
  const rest = foldFields(
    document as unknown as Fields,
    before as unknown as Fields,
    after as unknown as Fields,
  );
  return { ...(rest as unknown as Layout), zones: after.zones.map((zone) => fold(zone, '')) };
}

/** The fields of `stored`, but for those that differ between `before` and `after`. */
function foldFields(stored: Fields, before: Fields, after: Fields): Fields {
  const folded: Fields = { ...stored };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (after[key] === before[key]) continue;
    if (after[key] === undefined) delete folded[key];
    else folded[key] = after[key];
  }
  return folded;
}

/** @param moved the zone lies in another one than before: its place is one in all languages */
function foldZone(stored: Zone, before: Zone, after: Zone, language: string, moved: boolean): Zone {
  const folded = foldFields(
    stored as unknown as Fields,
    before as unknown as Fields,
    after as unknown as Fields,
  );
  const zone = folded as unknown as Zone;
  const own = plain(overrideOf(zone, language) ?? {}) as Fields & { style?: Fields };
  const from = stored as unknown as Fields;
  for (const key of OWN_PROPERTIES) {
    const value = (after as unknown as Fields)[key];
    if (value === (before as unknown as Fields)[key]) continue;
    if (moved && (key === 'x' || key === 'y')) {
      delete own[key];
      continue;
    }
    folded[key] = from[key];
    if (sameDocument(value, from[key])) delete own[key];
    else own[key] = value;
  }
  if ('style' in after && 'style' in before && 'style' in stored && after.style !== before.style) {
    folded['style'] = foldStyle(stored.style, before.style, after.style, own);
  }
  keep(zone, language, own as LanguageOverride);
  return zone;
}

function foldStyle(stored: object, before: object, after: object, own: { style?: Fields }): Fields {
  const [from, then, now] = [stored as Fields, before as Fields, after as Fields];
  const style = foldFields(from, then, now);
  const ownStyle: Fields = { ...own.style };
  for (const key of OWN_STYLE) {
    if (now[key] === then[key]) continue;
    style[key] = from[key];
    if (sameDocument(now[key], from[key]) && !DERIVED.has(key)) delete ownStyle[key];
    else ownStyle[key] = now[key];
  }
  own.style = ownStyle;
  return style;
}
