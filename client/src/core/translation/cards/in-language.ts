import type { Row } from '../../scene/card/row.ts';
import { zoneInLanguage } from '../../scene/language-view.ts';
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

/** A layout with its own words in another language, and nothing else of it. */
export function textsInLanguage(id: string, layout: Layout, texts: Texts): Layout {
  const changed = (zone: Zone): Zone => {
    if (isParent(zone))
      return { ...zone, children: zone.children.map((child) => changed(child as Zone)) } as Zone;
    const text = zone.kind === 'text' && !zone.bindings['text'] ? texts.get(zoneId(id, zone.id)) : undefined;
    return text === undefined ? zone : ({ ...zone, text } as Zone);
  };
  return { ...layout, zones: layout.zones.map(changed) };
}

/**
 * A layout in another language: its own words, what zones have of their own there, and hyphenation by the rules of that
 * language. Where the language runs from right to left, so do the sides of texts; a text that is not translated stays at
 * its side.
 */
export function layoutInLanguage(id: string, layout: Layout, texts: Texts, language: string): Layout {
  const hyphenate = hyphenationOf(language);
  const mirrored = runsRightToLeft(language);
  const changed = (whole: Zone): Zone => {
    if (isParent(whole)) {
      const children = whole.children.map((child) => changed(child as Zone));
      return zoneInLanguage({ ...whole, children } as Zone, language);
    }
    if (whole.kind !== 'text') return zoneInLanguage(whole, language);
    const text = whole.bindings['text'] ? undefined : texts.get(zoneId(id, whole.id));
    const style = styleInLanguage(whole.style, hyphenate, mirrored);
    const same = text === undefined && style === whole.style;
    return zoneInLanguage(same ? whole : { ...whole, style, text: text ?? whole.text }, language);
  };
  return { ...layout, language, zones: layout.zones.map(changed) };
}

function styleInLanguage(style: TextStyle, hyphenate: string, mirrored: boolean): TextStyle {
  const { align } = style;
  const side = mirrored ? (align === 'left' ? 'start' : align === 'right' ? 'end' : align) : align;
  if (style.hyphenate === '' && side === align) return style;
  return { ...style, align: side, hyphenate: style.hyphenate === '' ? '' : hyphenate };
}
