import { printedCells, type Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { definitionOf, isParent, type Zone } from '../../scene/zones.ts';
import { guessHanForms, type HanForms, hanFormsOf } from './east-asian.ts';

const ownTexts = new WeakMap<Layout, readonly string[]>();

/** The texts of a layout's own zones. */
function textsOf(layout: Layout): readonly string[] {
  const known = ownTexts.get(layout);
  if (known) return known;
  const texts: string[] = [];
  const visit = (zone: Zone): void => {
    texts.push(...definitionOf(zone).texts(zone));
    if (isParent(zone)) for (const child of zone.children) visit(child);
  };
  for (const zone of layout.zones) visit(zone);
  ownTexts.set(layout, texts);
  return texts;
}

/**
 * The forms of Chinese characters on a card: those of the layout's language, else told from all words of the card, so
 * that a title without kana is set as the text below it.
 */
export const formsOf = (layout: Layout, row: Row): HanForms =>
  hanFormsOf(layout.language ?? '') ??
  guessHanForms([...Object.values(printedCells(row)), ...textsOf(layout)]);
