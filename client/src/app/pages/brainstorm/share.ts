import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import { cutText } from '../../../core/text/cut-text.ts';
import {
  type Generator,
  listName,
  MAX_GENERATORS,
  MAX_LIST_NAME,
  MAX_SENTENCE_LENGTH,
  MAX_SENTENCES,
  type Material,
  parseWords,
  readGenerators,
  renamedSlots,
  slotsOf,
} from './ideas.ts';

/** Lists and sentences as a link carries them, and the idea that it shows, if it shows one. */
export interface Shared extends Material {
  readonly idea?: SharedIdea;
}

/** All that drawing an idea again needs besides its lists. */
export interface SharedIdea {
  readonly sentence: string;
  readonly seed: string;
  /** Words that were locked, by the numbers of their places. */
  readonly locked: readonly (readonly [place: number, word: string])[];
}

/** Longest link that browsers and messengers pass on whole, in characters. */
export const MAX_LINK = 16_000;
/** Largest text that a link may hold once it is unpacked, in bytes: more is no link of ours. */
const MAX_UNPACKED = 1_000_000;
const MAX_SEED = 40;
const MAX_LOCKED = 100;

/** The part of an address that carries lists: behind the hash, so that no server is told. */
export function writeShared(shared: Shared): string {
  const packed = deflateSync(strToU8(JSON.stringify(shared)), { level: 9 });
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Lists and sentences of an address; `undefined` for what holds none. */
export function readShared(text: string): Shared | undefined {
  if (text === '' || text.length > MAX_LINK) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (one) => one.charCodeAt(0));
    const unpacked = inflateSync(packed, { out: new Uint8Array(MAX_UNPACKED) });
    return checked(JSON.parse(strFromU8(unpacked)));
  } catch {
    return undefined;
  }
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isSentence = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SENTENCE_LENGTH;

/** Whoever wrote the link: what comes of it is within the limits of lists made here. */
function checked(value: unknown): Shared | undefined {
  const { generators, sentences, idea } = asRecord(value);
  const lists = readGenerators(asList(generators))
    .slice(0, MAX_GENERATORS)
    .map(({ name, words }) => ({
      name: cutText(listName(name), MAX_LIST_NAME),
      words: parseWords(words.join('\n')),
    }))
    .filter(({ name }, at, all) => name !== '' && all.findIndex((one) => one.name === name) === at);
  const kept = asList(sentences).filter(isSentence).slice(0, MAX_SENTENCES);
  const shown = checkedIdea(idea);
  if (lists.length === 0 && kept.length === 0 && !shown) return undefined;
  return { generators: lists, sentences: kept, ...(shown && { idea: shown }) };
}

function checkedIdea(value: unknown): SharedIdea | undefined {
  const { sentence, seed, locked } = asRecord(value);
  if (!isSentence(sentence) || typeof seed !== 'string') return undefined;
  const words = asList(locked)
    .slice(0, MAX_LOCKED)
    .flatMap((entry): [number, string][] => {
      const [place, word] = asList(entry);
      return typeof place === 'number' && typeof word === 'string' ? [[place, word]] : [];
    });
  return { sentence, seed: seed.slice(0, MAX_SEED), locked: words };
}

/** The lists that a sentence draws from, and those that their words draw from. */
export function listsOf(sentence: string, generators: readonly Generator[]): readonly Generator[] {
  const found = new Set<Generator>();
  const visit = (text: string): void => {
    for (const slot of slotsOf(text)) {
      const list = generators.find(({ name }) => name.trim().toLowerCase() === slot.trim().toLowerCase());
      if (!list || found.has(list)) continue;
      found.add(list);
      for (const word of list.words) visit(word);
    }
  };
  visit(sentence);
  return generators.filter((list) => found.has(list));
}

/**
 * One's lists and sentences with those that somebody sent, or with a pack. A list that is called as an own one, and has other words, gets a
 * number behind its name; what was sent with it goes on finding it.
 */
export function withSent(own: Material, sent: Material): Material {
  const added: Generator[] = [];
  const renames: (readonly [from: string, to: string])[] = [];
  for (const list of sent.generators) {
    const others = sent.generators.filter((one) => one !== list);
    const { name, isNew } = placeFor(list, [...own.generators, ...added], others);
    if (isNew) added.push({ ...list, name });
    if (!isCalled(name)(list)) renames.push([list.name, name]);
  }
  const renamed = (text: string) =>
    renames.reduce((changed, [from, to]) => renamedSlots(changed, from, to), text);
  const sentences = [...new Set(sent.sentences.map(renamed))].filter((one) => !own.sentences.includes(one));
  return {
    generators: [...own.generators, ...added.map(({ name, words }) => ({ name, words: words.map(renamed) }))],
    sentences: [...own.sentences, ...sentences],
  };
}

const isCalled = (name: string) => (list: Generator) => list.name.toLowerCase() === name.toLowerCase();

/** A name for a list among others: that of one with its words if there is one, else a free one that no other wants. */
function placeFor(
  list: Generator,
  taken: readonly Generator[],
  others: readonly Generator[],
): { readonly name: string; readonly isNew: boolean } {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const name = `${list.name.slice(0, MAX_LIST_NAME - suffix.length)}${suffix}`;
    if (number > 1 && others.some(isCalled(name))) continue;
    const there = taken.find(isCalled(name));
    if (!there || there.words.join('\n') === list.words.join('\n')) return { name, isNew: !there };
  }
}
