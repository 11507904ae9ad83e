/** Puts soft hyphens where a word of a language may be broken. */
export type Hyphenate = (text: string, language: string) => string;

/** Languages with rules, as designers choose them. */
export const HYPHENATION_LANGUAGES = [
  { id: 'en-us', name: 'English (US)' },
  { id: 'en-gb', name: 'English (UK)' },
  { id: 'cs', name: 'Czech' },
  { id: 'da', name: 'Danish' },
  { id: 'nl', name: 'Dutch' },
  { id: 'fi', name: 'Finnish' },
  { id: 'fr', name: 'French' },
  { id: 'de-1996', name: 'German' },
  { id: 'hu', name: 'Hungarian' },
  { id: 'it', name: 'Italian' },
  { id: 'nb', name: 'Norwegian' },
  { id: 'pl', name: 'Polish' },
  { id: 'pt', name: 'Portuguese' },
  { id: 'ru', name: 'Russian' },
  { id: 'es', name: 'Spanish' },
  { id: 'sv', name: 'Swedish' },
  { id: 'tr', name: 'Turkish' },
  { id: 'uk', name: 'Ukrainian' },
] as const;

export type HyphenationLanguage = (typeof HYPHENATION_LANGUAGES)[number]['id'];

interface Rules {
  readonly hyphenateSync: (text: string, options?: { readonly minWordLength?: number }) => string;
}
type Module = Rules | { readonly default: Rules };

/** Each language's rules are a separate file, fetched on first use. */
const LOADERS: Readonly<Record<HyphenationLanguage, () => Promise<Module>>> = {
  'en-us': () => import('hyphen/en-us'),
  'en-gb': () => import('hyphen/en-gb'),
  cs: () => import('hyphen/cs'),
  da: () => import('hyphen/da'),
  nl: () => import('hyphen/nl'),
  fi: () => import('hyphen/fi'),
  fr: () => import('hyphen/fr'),
  'de-1996': () => import('hyphen/de-1996'),
  hu: () => import('hyphen/hu'),
  it: () => import('hyphen/it'),
  nb: () => import('hyphen/nb'),
  pl: () => import('hyphen/pl'),
  pt: () => import('hyphen/pt'),
  ru: () => import('hyphen/ru'),
  es: () => import('hyphen/es'),
  sv: () => import('hyphen/sv'),
  tr: () => import('hyphen/tr'),
  uk: () => import('hyphen/uk'),
};

/** Shorter words are left whole. */
const MIN_WORD_LENGTH = 6;

const loaded = new Map<string, Rules>();

/** The language whose hyphenation rules fit best; empty without one. */
export function hyphenationOf(language: string): string {
  const wanted = language.toLowerCase();
  const main = wanted.split('-')[0] ?? '';
  const ids = HYPHENATION_LANGUAGES.map(({ id }): string => id);
  const usual = main === 'en' ? 'en-gb' : main === 'no' ? 'nb' : main;
  return (
    ids.find((id) => id === wanted) ?? ids.find((id) => id.split('-')[0] === usual || id === usual) ?? ''
  );
}

/** True if a language needs nothing fetched. */
export const isHyphenationLoaded = (language: string): boolean =>
  loaded.has(language) || !Object.hasOwn(LOADERS, language);

/** Fetches the rules of a language; does nothing for one without rules. */
export async function loadHyphenation(language: string): Promise<void> {
  if (isHyphenationLoaded(language)) return;
  const module = await LOADERS[language as HyphenationLanguage]();
  loaded.set(language, 'default' in module ? module.default : module);
}

/** Returns the text unchanged where the language's rules are not loaded. */
export const hyphenate: Hyphenate = (text, language) =>
  loaded.get(language)?.hyphenateSync(text, { minWordLength: MIN_WORD_LENGTH }) ?? text;
