import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import {
  type Generator,
  listName,
  MAX_GENERATORS,
  MAX_LIST_NAME,
  MAX_SENTENCE_LENGTH,
  MAX_SENTENCES,
  parseWords,
  readGenerators,
  slotsOf,
} from './ideas.ts';

/** Lists and sentences as a link carries them, and the idea that it shows, if it shows one. */
export interface Shared {
  readonly generators: readonly Generator[];
  readonly sentences: readonly string[];
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
      name: listName(name).slice(0, MAX_LIST_NAME),
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

/** Own lists with those that somebody sent: one that is called as an own one gets a number behind its name. */
export function withLists(own: readonly Generator[], sent: readonly Generator[]): readonly Generator[] {
  const all = [...own];
  for (const list of sent) {
    const same = all.find(({ name }) => name.toLowerCase() === list.name.toLowerCase());
    if (same && same.words.join('\n') === list.words.join('\n')) continue;
    all.push(same ? { ...list, name: freeName(list.name, all) } : list);
  }
  return all;
}

function freeName(name: string, taken: readonly Generator[]): string {
  for (let number = 2; ; number++) {
    const wanted = `${name} ${number}`;
    if (!taken.some((list) => list.name.toLowerCase() === wanted.toLowerCase())) return wanted;
  }
}
