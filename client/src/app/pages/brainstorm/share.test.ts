import * as fc from 'fast-check';
import { deflateSync, strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { randomFrom } from '../../../core/random.ts';
import {
  drawIdea,
  FIRST_GENERATORS,
  FIRST_SENTENCES,
  ideaText,
  MAX_LIST_NAME,
  MAX_SENTENCES,
} from './ideas.ts';
import { PACKS } from './packs.ts';
import { listsOf, MAX_LINK, readShared, type Shared, withSent, writeShared } from './share.ts';

test('an idea that is sent with its lists is the same where it arrives', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FIRST_SENTENCES), fc.string({ maxLength: 40 }), (sentence, seed) => {
      const first = drawIdea(sentence, FIRST_GENERATORS, randomFrom(seed));
      const locked = first.flatMap(({ place, text }) => (place === 0 ? [[place, text] as const] : []));
      const sent: Shared = {
        generators: listsOf(sentence, FIRST_GENERATORS),
        sentences: [sentence],
        idea: { sentence, seed, locked },
      };
      const read = readShared(writeShared(sent));
      expect(read).toEqual(sent);
      const drawn = (lists: Shared['generators']) =>
        ideaText(drawIdea(sentence, lists, randomFrom(seed), new Map(locked)));
      expect(drawn(read?.generators ?? [])).toBe(drawn(FIRST_GENERATORS));
    }),
  );
});

test('everything that comes with the page fits a link', () => {
  const all = {
    generators: [...FIRST_GENERATORS, ...PACKS.flatMap(({ generators }) => generators)],
    sentences: [...FIRST_SENTENCES, ...PACKS.flatMap(({ sentences }) => sentences)],
  };
  expect(writeShared(all).length).toBeLessThan(MAX_LINK);
});

const pack = (value: unknown): string =>
  Buffer.from(deflateSync(strToU8(JSON.stringify(value)))).toString('base64url');

test('what is no link of ours is none, and a forged one keeps to the limits', () => {
  fc.assert(fc.property(fc.string(), (text) => void readShared(text)));
  for (const text of ['', 'a', '%%%', pack(null), pack({ generators: 3 }), 'A'.repeat(MAX_LINK + 1)]) {
    expect(readShared(text)).toBeUndefined();
  }
  const bomb = Buffer.from(deflateSync(new Uint8Array(5_000_000))).toString('base64url');
  expect(readShared(bomb)).toBeUndefined();
  const forged = readShared(
    pack({
      generators: [{ name: '{x}', words: ['a\nb', 3, 'c'.repeat(5_000)] }, { name: 'x', words: [] }, null],
      sentences: ['', 5, 'x'.repeat(501), ...Array.from({ length: 80 }, (_, at) => `s${at}`)],
      idea: { sentence: 'a {x}', seed: 5 },
    }),
  );
  expect(forged?.generators.map(({ name, words }) => [name, words.map(({ length }) => length)])).toEqual([
    ['x', [1, 1, 120]],
  ]);
  expect(forged?.sentences).toHaveLength(MAX_SENTENCES);
  expect(forged?.idea).toBeUndefined();
});

test('a sentence is sent with the lists that it reaches, through words too', () => {
  const lists = [
    { name: 'beast', words: ['{Colour} fox'] },
    { name: 'colour', words: ['red'] },
    { name: 'other', words: ['x'] },
  ];
  expect(listsOf('a { Beast }', lists).map(({ name }) => name)).toEqual(['beast', 'colour']);
});

const both = (own: Shared['generators'], sent: Shared['generators']) =>
  withSent({ generators: own, sentences: [] }, { generators: sent, sentences: [] }).generators;

test('lists that are sent are put beside one’s own, which stay', () => {
  const own = [{ name: 'hero', words: ['a'] }];
  expect(both(own, own)).toEqual(own);
  expect(
    both(own, [
      { name: 'Hero', words: ['b'] },
      { name: 'foe', words: [] },
    ]),
  ).toEqual([...own, { name: 'Hero 2', words: ['b'] }, { name: 'foe', words: [] }]);
});

test('sentences and words that are sent draw from the lists that came with them, and come once', () => {
  const own = { generators: [{ name: 'hero', words: ['a'] }], sentences: ['{hero}', '{hero}'] };
  const sent = {
    generators: [
      { name: 'hero', words: ['b'] },
      { name: 'hero 2', words: ['c'] },
      { name: 'deed', words: ['saves {Hero}'] },
    ],
    sentences: ['{hero} {deed}, {hero 2}', '{1–6}'],
  };
  const all = withSent(own, sent);
  expect(all).toEqual({
    generators: [
      ...own.generators,
      { name: 'hero 3', words: ['b'] },
      { name: 'hero 2', words: ['c'] },
      { name: 'deed', words: ['saves {hero 3}'] },
    ],
    sentences: [...own.sentences, '{hero 3} {deed}, {hero 2}', '{1–6}'],
  });
  const again = { ...sent, generators: sent.generators.slice(0, 2), sentences: ['{hero}'] };
  expect(withSent(withSent(own, again), again)).toEqual(withSent(own, again));
});

test('a long name keeps to its limit with a number behind it', () => {
  const name = 'x'.repeat(MAX_LIST_NAME);
  const [, second] = both([{ name, words: ['a'] }], [{ name, words: ['b'] }]);
  expect(second?.name).toBe(`${'x'.repeat(MAX_LIST_NAME - 2)} 2`);
});
