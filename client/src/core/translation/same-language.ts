/** Languages that are chosen beside one of another region, so that they mean their own region and not the likeliest. */
const OWN_REGION: Readonly<Record<string, string>> = { pt: 'pt-PT' };

/** True if two tags mean one language, such as `de`, `de-DE` and `de-1996`, or `zh` and `zh-Hans`. */
export function isSameLanguage(a: string, b: string): boolean {
  return meaningOf(a) === meaningOf(b);
}

/** Language, script and region of a tag, those that it leaves out among them. */
function meaningOf(tag: string): string {
  const plain = tag.toLowerCase();
  try {
    const { language, script, region } = new Intl.Locale(OWN_REGION[plain] ?? plain).maximize();
    return [language, script, region].join('-');
  } catch {
    return plain;
  }
}
