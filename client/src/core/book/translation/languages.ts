import { RulebookError } from '../error.ts';
import { languageSchema } from '../schema.ts';

/** Most languages of one rulebook. */
export const MAX_LANGUAGES = 40;
/** Longest language tag, in characters; the rules say the same. */
export const MAX_TAG = 40;

/** Languages that games are most often printed in, as choices; any other tag can be written. */
export const USUAL_LANGUAGES = [
  ...[
    'cs',
    'da',
    'de',
    'el',
    'en',
    'es',
    'fi',
    'fr',
    'hu',
    'it',
    'ja',
    'ko',
    'nb',
    'nl',
    'pl',
    'pt',
    'pt-br',
  ],
  ...['ro', 'ru', 'sv', 'tr', 'uk', 'zh-hans', 'zh-hant'],
] as const;

/**
 * A language tag as rulebooks write it, such as `pt-br`.
 * @throws RulebookError when it is none (BCP 47)
 */
export function languageTag(text: string): string {
  const tag = text.trim().replaceAll('_', '-');
  try {
    const [known = ''] = Intl.getCanonicalLocales(tag);
    const plain = known.toLowerCase();
    if (plain.length <= MAX_TAG && languageSchema.safeParse(plain).success) return plain;
  } catch {
    // Said below.
  }
  throw new RulebookError(
    `“${text.slice(0, 40)}” is no language tag: write one such as de, pt-BR or zh-Hant.`,
  );
}

/** The name of a language in English; its tag where it has none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
