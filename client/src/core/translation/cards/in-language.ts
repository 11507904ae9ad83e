import type { Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { isParent, type Zone } from '../../scene/zones.ts';
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

/** Words of cards in every language, by its tag. */
export type LanguageTexts = ReadonlyMap<string, Texts>;

/** True if a layout has a formula that names a language. */
export const namesLanguage = (layout: Layout): boolean => /\blang\s*\(/i.test(JSON.stringify(layout.zones));

/**
 * A row with its words in every language, for formulas that name one.
 * @param source tag of the language of the cells themselves
 */
export function rowWithLanguages<R extends Row>(
  row: R,
  {
    component,
    card,
    columns,
  }: { readonly component: string; readonly card: string; readonly columns: readonly string[] },
  source: string,
  all: LanguageTexts,
): R {
  const wordsIn = (texts: Texts): Record<string, string> =>
    Object.fromEntries(
      columns.flatMap((key): [string, string][] => {
        const text = texts.get(cellId(component, card, key));
        return text === undefined ? [] : [[key, text]];
      }),
    );
  const languages = Object.fromEntries([
    [source, {}],
    ...[...all].map(([tag, texts]) => [tag, wordsIn(texts)] as const),
  ]);
  return { ...row, languages };
}

/** A layout with its own words in another language, hyphenated by the rules of that language. */
export function layoutInLanguage(id: string, layout: Layout, texts: Texts, language: string): Layout {
  const hyphenate = hyphenationOf(language);
  const changed = (zone: Zone): Zone => {
    if (isParent(zone))
      return { ...zone, children: zone.children.map((child) => changed(child as Zone)) } as Zone;
    if (zone.kind !== 'text') return zone;
    const text = zone.bindings['text'] ? undefined : texts.get(zoneId(id, zone.id));
    const style = zone.style.hyphenate === '' ? zone.style : { ...zone.style, hyphenate };
    return text === undefined && style === zone.style ? zone : { ...zone, style, text: text ?? zone.text };
  };
  return { ...layout, zones: layout.zones.map(changed) };
}
