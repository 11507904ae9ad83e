import { layoutInLanguage, rowInLanguage } from '../../../core/translation/cards/in-language.ts';
import { cellId } from '../../../core/translation/cards/unit-ids.ts';
import type { LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { looksOf } from '../../../data/layouts/card-layout.ts';
import type { CardContents, CardLanguage } from '../../../data/translations/card-language.ts';
import { preflight } from '../../../workers/preflight/preflight.ts';

/** A text of a card that is not set well in a language. */
export interface LaidFinding {
  readonly kind: 'overflow' | 'font-fallback';
  readonly unit: string;
  readonly where: string;
  readonly message: string;
}

/** Lays every card out in a language in a worker, and answers where texts do not fit or letters are missing. */
export async function layOutLanguage(
  { language, texts, columns, units }: CardLanguage,
  contents: readonly CardContents[],
  layouts: readonly WithId<LayoutDocument>[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (cards: number) => void },
): Promise<readonly LaidFinding[]> {
  const scenes = new Map(layouts.map(({ id, scene }) => [id, layoutInLanguage(id, scene, texts, language)]));
  const known = new Map(units.map(({ unit }) => [unit.id, unit]));
  const found: LaidFinding[] = [];
  let before = 0;
  for (const { component, cards } of contents) {
    const keys = columns.get(component.id) ?? [];
    const rows = cards.map(({ id, cells }, at) =>
      rowInLanguage(
        { cells, index: at + 1, count: cards.length },
        { component: component.id, card: id, columns: keys },
        texts,
      ),
    );
    const looks = looksOf(component, rows, scenes);
    const done = before;
    const findings = looks.length
      ? await preflight(looks, rows, component.columns, {
          signal,
          onProgress: (checked) => onProgress(done + checked),
        })
      : [];
    for (const { kind, card, column, message } of findings) {
      const at = card === undefined ? undefined : cards[card];
      if ((kind !== 'overflow' && kind !== 'font-fallback') || !at || column === undefined) continue;
      const unit = known.get(cellId(component.id, at.id, column));
      // Of texts that are the same in every language the checks of the table speak.
      if (!unit) continue;
      const where = [unit.heading, unit.label].filter(Boolean).join(' · ');
      found.push({ kind, unit: unit.id, where, message });
    }
    before += cards.length;
  }
  return found;
}
