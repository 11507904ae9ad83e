/** The name of a language in English; its tag where it has none. */
export function languageName(tag: string): string {
  // Hyphenation knows German by its present orthography, which nobody names.
  const plain = tag.replace(/-1996$/, '');
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(plain) ?? tag;
  } catch {
    return tag;
  }
}

/** Names of languages in English, in order, as one reads them: `German, Polish and Thai`. */
export const languageNames = (tags: readonly string[]): string =>
  new Intl.ListFormat('en').format(tags.map(languageName).sort((a, b) => a.localeCompare(b)));
