/** Words that begin with the sound of a consonant, although their first letter is a vowel. */
const CONSONANT = /^(?:eu|ewe|on(?:e|ce)\b|u(?:fo|ni(?![dmn])|ra|s[aeu]|t[eio])|u\b)/i;
/** Words that begin with the sound of a vowel, although their first letter is none. */
const VOWEL = /^(?:hour|honest|hono(?:u?r)|heir|8|1[18]\b)/i;
/** Short words in capitals are spelled: an F, a U. */
const SPELLED = /^[A-Z]{1,3}\b/;
const SPELLED_VOWEL = /^[AEFHILMNORSX]/;

/** True if “an” stands before the text, by the sound that it begins with. */
export function takesAn(text: string): boolean {
  if (VOWEL.test(text)) return true;
  if (SPELLED.test(text)) return SPELLED_VOWEL.test(text);
  return /^[aeiou]/i.test(text) && !CONSONANT.test(text);
}
