/** A named list of words to draw from. */
export interface Generator {
  readonly name: string;
  readonly words: readonly string[];
}

/** Longest list of words, longest word and most lists kept. */
export const MAX_WORDS = 500;
export const MAX_WORD_LENGTH = 120;
export const MAX_GENERATORS = 50;
/** Most sentences kept, and the longest of them. */
export const MAX_SENTENCES = 50;
export const MAX_SENTENCE_LENGTH = 500;

/** Generators a new user starts with. */
export const FIRST_GENERATORS: readonly Generator[] = [
  {
    name: 'mechanism',
    words: [
      'hand management',
      'push your luck',
      'set collection',
      'bluffing',
      'drafting',
      'trick taking',
      'tile laying',
      'auction',
      'area majority',
      'memory',
      'deck building',
      'cooperation against the clock',
    ],
  },
  {
    name: 'setting',
    words: [
      'a lighthouse in winter',
      'the night train to the coast',
      'a village of retired pirates',
      'an orbital greenhouse',
      'the last bookshop in town',
      'a museum after closing time',
      'a salt caravan',
      'the kitchen of a royal wedding',
    ],
  },
  {
    name: 'twist',
    words: [
      'you see everybody’s hand but your own',
      'cards can be played upside down',
      'the loser of a round chooses the next rule',
      'talking is allowed in questions only',
      'every card is used twice',
      'the discard pile is the map',
      'the first player changes with the weather',
    ],
  },
  {
    name: 'length',
    words: ['ten minutes', 'a lunch break', 'half an hour', 'an evening'],
  },
];

export const FIRST_SENTENCES: readonly string[] = [
  'A game of {mechanism} set in {setting}, where {twist}.',
  'In {length}, at {setting}: {mechanism}, but {twist}.',
  'Take {mechanism} and {mechanism}, and put them into {setting}.',
];

/** Fills a sentence's `{name}`s, each with a word of its list; what has no list stays as it is. */
export function fillSentence(
  sentence: string,
  generators: readonly Generator[],
  random: () => number,
): string {
  const left = new Map(generators.map(({ name, words }) => [name.toLowerCase(), [...words]]));
  return sentence.replace(/\{([^{}]+)\}/g, (slot, name: string) => {
    const words = left.get(name.trim().toLowerCase());
    if (!words || words.length === 0) return slot;
    // A word is not drawn twice in one sentence while others are left.
    const [word = slot] = words.splice(Math.floor(random() * words.length), 1);
    if (words.length === 0) {
      left.set(name.trim().toLowerCase(), [
        ...(generators.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())?.words ?? []),
      ]);
    }
    return word;
  });
}

/** The lists a stored value holds. */
export function readGenerators(stored: readonly unknown[]): readonly Generator[] {
  return stored.flatMap((value) => {
    const { name, words } = (value ?? {}) as { name?: unknown; words?: unknown };
    if (typeof name !== 'string' || name === '' || !Array.isArray(words)) return [];
    return [{ name, words: words.filter((word): word is string => typeof word === 'string') }];
  });
}

/** Words, one a line. */
export function parseWords(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim().slice(0, MAX_WORD_LENGTH))
    .filter((line) => line !== '')
    .slice(0, MAX_WORDS);
}
