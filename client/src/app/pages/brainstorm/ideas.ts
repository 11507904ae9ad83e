import { cutText } from '../../../core/text/cut-text.ts';
import { takesAn } from './article.ts';
import { choicesOf, slotsIn, withSlots } from './slots.ts';

/** A named list of words to draw from. */
export interface Generator {
  readonly name: string;
  readonly words: readonly string[];
}

/** All that ideas are drawn from. */
export interface Material {
  readonly generators: readonly Generator[];
  readonly sentences: readonly string[];
}

/** Longest list of words, longest word and most lists kept. */
export const MAX_WORDS = 500;
export const MAX_WORD_LENGTH = 120;
export const MAX_GENERATORS = 50;
export const MAX_LIST_NAME = 40;
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

/** A stretch of an idea: text of the sentence, or a word that was drawn for a place in it. */
export interface Piece {
  readonly text: string;
  /** Number of the place, from 0; null for text. */
  readonly place: number | null;
}

/** Words may hold places of their own, so deep. */
const MAX_DEPTH = 4;
/** Most words of one idea: lists may name each other in many places, and a link brings lists of whoever made it. */
const MAX_DRAWN = 1_000;
/** Largest weight of a word, and the ends of a range. */
const MAX_WEIGHT = 99;
const MAX_END = 1_000_000;

const RANGE = /^\s*(-?\d+)\s*[–-]\s*(-?\d+)\s*$/;
const WEIGHT = /^(.*?)\s+[×x]\s*(\d{1,2})\s*$/;

interface Weighted {
  readonly word: string;
  readonly weight: number;
}

/** A word as it is written: `oak ×3` comes three times as often, `oak ×0` never. */
function weighted(written: string): Weighted {
  const [, word, weight] = WEIGHT.exec(written) ?? [];
  if (word === undefined || word.trim() === '') return { word: written.trim(), weight: 1 };
  return { word, weight: Math.min(MAX_WEIGHT, Number(weight)) };
}

const drawable = (words: readonly string[]): Weighted[] =>
  words.map(weighted).filter(({ weight }) => weight > 0);

/** Takes one word out of those that are left. */
function take(left: Weighted[], random: () => number): string | undefined {
  let at = random() * left.reduce((sum, { weight }) => sum + weight, 0);
  const found = left.findIndex(({ weight }) => {
    at -= weight;
    return at < 0;
  });
  return left.splice(found < 0 ? left.length - 1 : found, 1)[0]?.word;
}

/** The words of one draw: none comes twice while others of its list are left. */
class Draw {
  readonly #lists: ReadonlyMap<string, readonly Weighted[]>;
  readonly #left = new Map<string, Weighted[]>();
  readonly #random: () => number;
  #drawn = 0;

  constructor(generators: readonly Generator[], random: () => number) {
    this.#lists = new Map(generators.map(({ name, words }) => [name.trim().toLowerCase(), drawable(words)]));
    this.#random = random;
  }

  /** A word that is there already, so that it is not drawn as well. */
  used(word: string): void {
    for (const name of this.#lists.keys()) {
      const left = this.#leftOf(name);
      const at = left.findIndex((one) => one.word === word);
      if (at >= 0) left.splice(at, 1);
    }
  }

  /** The word for what stands between braces; `undefined` if that is no list, choice or range, or too many came before. */
  word(slot: string, depth = 0): string | undefined {
    if (++this.#drawn > MAX_DRAWN) return undefined;
    const range = RANGE.exec(slot);
    if (range) return this.#number(Number(range[1]), Number(range[2]));
    const choices = choicesOf(slot);
    if (choices) return this.#filled(take(drawable(choices), this.#random) ?? '', depth);
    const name = slot.trim().toLowerCase();
    if (!this.#lists.get(name)?.length) return undefined;
    const word = take(this.#leftOf(name), this.#random);
    return word === undefined ? undefined : this.#filled(word, depth);
  }

  #leftOf(name: string): Weighted[] {
    const left = this.#left.get(name) ?? [];
    if (left.length === 0) left.push(...(this.#lists.get(name) ?? []));
    this.#left.set(name, left);
    return left;
  }

  #number(one: number, other: number): string | undefined {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    if (from < -MAX_END || to > MAX_END) return undefined;
    return String(from + Math.floor(this.#random() * (to - from + 1)));
  }

  #filled(word: string, depth: number): string {
    if (depth >= MAX_DEPTH) return word;
    return withSlots(word, ({ from, to, inner }) => this.word(inner, depth + 1) ?? word.slice(from, to));
  }
}

/**
 * Draws an idea: `{name}` is a word of that list, `{a|b}` one of these, `{1–6}` a number; `a(n)` becomes a or an. What is
 * none of these stays as it is.
 * @param locked words that stay, by the numbers of their places
 */
export function drawIdea(
  sentence: string,
  generators: readonly Generator[],
  random: () => number,
  locked: ReadonlyMap<number, string> = new Map(),
): readonly Piece[] {
  const draw = new Draw(generators, random);
  for (const word of locked.values()) draw.used(word);
  const pieces: Piece[] = [];
  let end = 0;
  let place = 0;
  for (const { from, to, inner } of slotsIn(sentence)) {
    const word = locked.get(place) ?? draw.word(inner);
    if (from > end) pieces.push({ text: sentence.slice(end, from), place: null });
    pieces.push(word === undefined ? { text: sentence.slice(from, to), place: null } : { text: word, place });
    end = to;
    place++;
  }
  if (end < sentence.length) pieces.push({ text: sentence.slice(end), place: null });
  return withArticles(pieces);
}

/** `a(n)` before the sound of a vowel is “an”, else “a”. */
function withArticles(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map(({ text, place }, at) => ({
    place,
    text: text.replace(/\b([Aa])\(n\)/g, (whole, a: string, offset: number) => {
      const rest = text.slice(offset + whole.length) + ideaText(pieces.slice(at + 1));
      return takesAn(rest.trimStart()) ? `${a}n` : a;
    }),
  }));
}

export const ideaText = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

/** The stretches between braces in a text, those inside choices as well. */
export const slotsOf = (text: string): readonly string[] =>
  slotsIn(text).flatMap(({ inner }) => [inner, ...(choicesOf(inner) ?? []).flatMap(slotsOf)]);

/** The names of lists in texts, changed with the list: places go on finding it. */
export const renamedSlots = (text: string, from: string, to: string): string =>
  withSlots(text, ({ inner }) => {
    const choices = choicesOf(inner);
    if (choices) return `{${choices.map((one) => renamedSlots(one, from, to)).join('|')}}`;
    return inner.trim().toLowerCase() === from.trim().toLowerCase() ? `{${to}}` : `{${inner}}`;
  });

/** The lists a stored value holds. */
export function readGenerators(stored: readonly unknown[]): readonly Generator[] {
  return stored.flatMap((value) => {
    const { name, words } = (value ?? {}) as { name?: unknown; words?: unknown };
    if (typeof name !== 'string' || name === '' || !Array.isArray(words)) return [];
    return [{ name, words: words.filter((word): word is string => typeof word === 'string') }];
  });
}

/** A name by which sentences can find a list. */
export const listName = (typed: string): string => typed.replace(/[{}|]/g, '').trim();

/** Words, one a line. */
export function parseWords(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => cutText(line.trim(), MAX_WORD_LENGTH))
    .filter((line) => line !== '')
    .slice(0, MAX_WORDS);
}
