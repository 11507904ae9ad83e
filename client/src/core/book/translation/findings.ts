import { languageName } from '../../translation/languages.ts';
import { stateCounts, type TranslatedUnit } from '../../translation/translation.ts';
import { quoted } from '../document/block-words.ts';

/** Most stale texts of a language that are named one by one. */
const MAX_NAMED = 30;

/** Texts of a translation that are missing or stale, with the one to jump to. */
export interface TranslationFinding {
  readonly code: 'translation-missing' | 'translation-stale';
  readonly language: string;
  readonly unit: string;
  readonly message: string;
}

/** Each stale text of a translation, and the number of those that are missing. */
export function translationFindings(
  language: string,
  units: readonly TranslatedUnit[],
): TranslationFinding[] {
  const name = languageName(language);
  const { missing, stale } = stateCounts(units);
  const first = units.find(({ state }) => state === 'missing')?.unit;
  const findings: TranslationFinding[] = units
    .filter(({ state }) => state === 'stale')
    .slice(0, MAX_NAMED)
    .map(({ unit, fault }) => ({
      code: 'translation-stale',
      language,
      unit: unit.id,
      message: `${name}: ${quoted(unit.source)} has changed since it was translated${fault === undefined ? '' : ', and its translation no longer fits, so readers see the source'}.`,
    }));
  const [last] = findings.slice(-1);
  if (last && stale > MAX_NAMED) {
    findings.push({
      ...last,
      message: `${name}: ${stale - MAX_NAMED} more texts have changed since they were translated.`,
    });
  }
  if (!first) return findings;
  const words =
    missing === 1
      ? '1 text is not translated, so readers see the source'
      : `${missing} texts are not translated, so readers see the source`;
  const message = `${name}: ${words}. The first is ${quoted(first.source)}.`;
  return [...findings, { code: 'translation-missing', language, unit: first.id, message }];
}
