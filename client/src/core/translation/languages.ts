import { languageSchema } from '../book/document/schema.ts';
import { TranslationError } from './error.ts';
import { languageName } from './language-names.ts';
import { isSameLanguage } from './same-language.ts';

export { isSameLanguage, languageName };

/** A thing that is translated as one. */
export type Whole = 'rulebook' | 'project';

/** Most languages that one thing is translated into. */
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

const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * A language tag as it is stored, such as `pt-br`.
 * @throws TranslationError when it is none (BCP 47)
 */
export function languageTag(text: string): string {
  const tag = text.trim().replaceAll('_', '-');
  try {
    const [known = ''] = Intl.getCanonicalLocales(tag);
    const plain = known.toLowerCase();
    // All languages of two letters have names; of those of three, the invented and the rare ones have none.
    const nobody = /^[a-z]{2}(?:-|$)/.test(plain) && NAMES.of(plain.slice(0, 2)) === undefined;
    if (!nobody && plain.length <= MAX_TAG && languageSchema.safeParse(plain).success) return plain;
  } catch {
    // Said below.
  }
  throw new TranslationError(
    `“${text.slice(0, 40)}” is not a language tag: write one such as de, pt-BR or zh-Hant.`,
  );
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Tags of languages by their English names in lower case, all those of two letters that have one. */
function tagsByName(): ReadonlyMap<string, string> {
  const named = (tag: string): [string, string][] => {
    const name = NAMES.of(tag)?.toLowerCase();
    return name === undefined ? [] : [[name, Intl.getCanonicalLocales(tag)[0]?.toLowerCase() ?? tag]];
  };
  return new Map([
    ...LETTERS.flatMap((a) => LETTERS.flatMap((b) => named(`${a}${b}`))),
    ...USUAL_LANGUAGES.flatMap(named),
  ]);
}

/**
 * The tag of a language by its English name or its tag.
 * @throws TranslationError for words that name none
 */
export const namedLanguage = (words: string): string =>
  tagsByName().get(words.trim().toLowerCase()) ?? languageTag(words);

/**
 * The tag of a language that something is to be translated into, by its English name or its tag.
 * @param source language of its text
 * @param known languages that it is translated into
 * @param whole what is translated
 * @throws TranslationError for words that name no language, or one that it has already
 */
export function addedLanguage(
  words: string,
  source: string,
  known: readonly string[],
  whole: Whole = 'rulebook',
): string {
  const tag = namedLanguage(words);
  if (isSameLanguage(tag, source)) {
    throw new TranslationError(`The ${whole} itself is in ${languageName(source)}. Its settings say so.`);
  }
  const same = known.find((one) => isSameLanguage(one, tag));
  if (same !== undefined) {
    throw new TranslationError(
      `The ${whole} has a translation into ${languageName(same)}. Choose it above the text.`,
    );
  }
  if (known.length >= MAX_LANGUAGES) {
    throw new TranslationError(`A ${whole} has at most ${MAX_LANGUAGES} translations.`);
  }
  return tag;
}

/** @throws TranslationError when something is translated into the language that its text is to have */
export function checkSourceLanguage(
  language: string,
  known: readonly string[],
  whole: Whole = 'rulebook',
): void {
  const same = known.find((one) => isSameLanguage(one, language));
  if (same === undefined) return;
  throw new TranslationError(
    `The ${whole} has a translation into ${languageName(same)}. Choose another language for its text, or remove that translation first.`,
  );
}
