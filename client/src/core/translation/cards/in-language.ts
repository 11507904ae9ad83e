import type { Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import type { TextStyle } from '../../scene/style/text-style.ts';
import { isParent, type Zone } from '../../scene/zones.ts';
import { runsRightToLeft } from '../../text/direction.ts';
import { hyphenationOf } from '../../text/hyphenation/hyphenation.ts';
import { cellId, zoneId } from './unit-ids.ts';

/** Translations that are printed, by the ids of their units. */
export type Texts = ReadonlyMap<string, string>;

/** A row with the words of another language: the source where there is no translation. */
export function rowInLanguage<R extends Row>(
  row: R,
  {
    component,
    card,
    columns,
  }: { readonly component: string; readonly card: string; readonly columns: readonly string[] },
  texts: Texts,
): R {
  const words = columns.flatMap((key): [string, string][] => {
    const text = texts.get(cellId(component, card, key));
    return text === undefined ? [] : [[key, text]];
  });
  return words.length === 0 ? row : { ...row, words: Object.fromEntries(words) };
}

/**
 * A layout with its own words in another language, hyphenated by the rules of that language. Where the language runs from
 * right to left, so do the sides of texts; a text that is not translated stays at its side.
 */
export function layoutInLanguage(id: string, layout: Layout, texts: Texts, language: string): Layout {
  const hyphenate = hyphenationOf(language);
  const mirrored = runsRightToLeft(language);
  const changed = (zone: Zone): Zone => {
    if (isParent(zone))
      return { ...zone, children: zone.children.map((child) => changed(child as Zone)) } as Zone;
    if (zone.kind !== 'text') return zone;
    const text = zone.bindings['text'] ? undefined : texts.get(zoneId(id, zone.id));
    const style = styleInLanguage(zone.style, hyphenate, mirrored);
    return text === undefined && style === zone.style ? zone : { ...zone, style, text: text ?? zone.text };
  };
  return { ...layout, language, zones: layout.zones.map(changed) };
}

function styleInLanguage(style: TextStyle, hyphenate: string, mirrored: boolean): TextStyle {
  const { align } = style;
  const side = mirrored ? (align === 'left' ? 'start' : align === 'right' ? 'end' : align) : align;
  if (style.hyphenate === '' && side === align) return style;
  return { ...style, align: side, hyphenate: style.hyphenate === '' ? '' : hyphenate };
}
