import { layoutInLanguage, rowInLanguage } from '../../../core/translation/cards/in-language.ts';
import { cellId, zoneId } from '../../../core/translation/cards/unit-ids.ts';
import type { LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { looksOf } from '../../../data/layouts/card-layout.ts';
import type { CardContents, CardLanguage } from '../../../data/translations/card-language.ts';
import { preflight } from '../../../workers/preflight/preflight.ts';

/** Kinds of findings that come of laying cards out. */
export type LaidKind = 'overflow' | 'font-fallback' | 'shrunk';

/** A text of a card that is not set well in a language, or smaller than it should be. */
export interface LaidFinding {
  readonly kind: LaidKind;
  readonly unit: string;
  readonly where: string;
  readonly message: string;
  /** Of a text that was shrunk to fit: its size, in points. */
  readonly size: number | undefined;
}

const isLaid = (kind: string): kind is LaidKind =>
  kind === 'overflow' || kind === 'font-fallback' || kind === 'shrunk';

/**
 * Lays every card out in a language in a worker, and answers where texts do not fit, where letters are missing, and
 * how small texts were shrunk.
 */
export async function layOutLanguage(
  { language, texts, columns, units }: CardLanguage,
  contents: readonly CardContents[],
  layouts: readonly WithId<LayoutDocument>[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (cards: number) => void },
): Promise<readonly LaidFinding[]> {
  const scenes = new Map(layouts.map(({ id, scene }) => [id, layoutInLanguage(id, scene, texts, language)]));
  const known = new Map(units.map(({ unit }) => [unit.id, unit]));
  const found = new Map<string, LaidFinding>();
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
          sizes: true,
        })
      : [];
    for (const { kind, card, column, layout, zone, message, size } of findings) {
      const at = card === undefined ? undefined : cards[card];
      if (!isLaid(kind) || !at) continue;
      const cell = column === undefined ? undefined : known.get(cellId(component.id, at.id, column));
      const own = zone === undefined ? undefined : known.get(zoneId(layout ?? '', zone));
      const unit = cell ?? own;
      // Of texts that are the same in every language the checks of the table speak.
      if (!unit) continue;
      const where = [unit.heading, unit.label].filter(Boolean).join(' · ');
      // Words of a layout are set alike on all of its cards.
      found.set(`${unit.id} ${message}`, { kind, unit: unit.id, where, message, size });
    }
    before += cards.length;
  }
  return [...found.values()];
}
