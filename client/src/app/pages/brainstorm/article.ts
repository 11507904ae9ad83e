/** Beginnings of words that sound like “you” or “w”, although their first letter is a vowel. */
const CONSONANT_SOUNDS = [
  'eu',
  'ewe',
  'on(?:e|ce)(?![a-z])',
  'one(?:ness|self)',
  'oui',
  'oaxac',
  'ubi',
  'ufo',
  'ugand',
  'uk[eru]',
  'ulys',
  'una(?:nim|ry)',
  // A unicorn, but an unidentified, unimportant, uninvited, unironed, unillustrated one.
  'uni(?!d(?!ir)|m(?!od)|n|ll|r)',
  'uni(?:que|fy|nom)',
  'ur[aeio]',
  'uru(?!k)',
  'us[aeiu]',
  'ut[aeior]',
  'uv[eu]',
  'uyg',
];
/** Beginnings of words that sound like a vowel, although their first letter is none. */
const VOWEL_SOUNDS = [
  'hour(?!i)',
  'honest',
  'honou?r',
  'heir',
  'hors[- ]d',
  // Yttrium, Yggdrasil.
  'y[bcdfglmnprtv]',
  // Eight and all that begins with it; eleven, eighteen, and years that begin with these.
  '8',
  '1[18](?:\\d\\d)?(?!\\d)',
];
const CONSONANT = new RegExp(`^(?:${CONSONANT_SOUNDS.join('|')})`);
const VOWEL = new RegExp(`^(?:[aeiouæœø]|${VOWEL_SOUNDS.join('|')})`);

/** Letters that are read by their names: an F, a U-turn, an x-axis, an NPC, an HTML page. */
const SPELLED = /^(?:[A-Za-z](?![A-Za-z'’])|[A-Z]{2,3}(?![A-Za-z])|[B-DF-HJ-NP-TV-XZ]{4,}(?![A-Za-z]))/;
const SPELLED_VOWEL = /^[AEFHILMNORSX]/i;
/** Marks before a word that nobody reads. */
const UNREAD = /^[\s\p{Pi}\p{Ps}"'*_~`]+/u;

/** True if “an” stands before the text, by the sound that it begins with. */
export function takesAn(text: string): boolean {
  const read = text.slice(0, 60).replace(UNREAD, '').normalize('NFD').replace(/\p{M}/gu, '');
  if (SPELLED.test(read)) return SPELLED_VOWEL.test(read);
  const word = read.toLowerCase();
  return VOWEL.test(word) && !CONSONANT.test(word);
}
