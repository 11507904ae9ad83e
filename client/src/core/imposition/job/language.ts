import { isParent, type Zone } from '../../scene/zones.ts';
import type { PrintPart } from './print-job.ts';

/**
 * Language of the cards: the one that they are translated into, else as their text zones are hyphenated, such as
 * `en-us`; undefined where they name none or several.
 */
export function languageOf(parts: readonly PrintPart[]): string | undefined {
  const languages = new Set<string>();
  const visit = (zone: Zone): void => {
    if (isParent(zone)) for (const child of zone.children) visit(child);
    else if (zone.kind === 'text' && zone.style.hyphenate !== '') languages.add(zone.style.hyphenate);
  };
  for (const { layout, back, language } of parts) {
    const spoken = language ?? layout.language;
    if (spoken !== undefined) {
      languages.add(spoken);
      continue;
    }
    for (const zone of [...layout.zones, ...(back?.zones ?? [])]) visit(zone);
  }
  const [only, ...more] = languages;
  return more.length > 0 ? undefined : only;
}
