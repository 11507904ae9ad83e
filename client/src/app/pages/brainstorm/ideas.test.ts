import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  drawIdea,
  FIRST_GENERATORS,
  FIRST_SENTENCES,
  ideaText,
  MAX_WORDS,
  parseWords,
  readGenerators,
  renamedSlots,
} from './ideas.ts';

const drawn = (...draw: Parameters<typeof drawIdea>): string => ideaText(drawIdea(...draw));

const lists = [{ name: 'Colour', words: ['red', 'blue'] }];

it('fills every place with a word, never the same twice while others are left', () => {
  expect(drawn('{colour} and {Colour }, then {colour}', lists, () => 0)).toBe('red and blue, then red');
  expect(drawn('a {shape} {}', lists, () => 0)).toBe('a {shape} {}');
});

it('leaves no place open in the first sentences', () => {
  for (const sentence of FIRST_SENTENCES) {
    expect(drawn(sentence, FIRST_GENERATORS, () => 0.99)).not.toMatch(/[{}]/);
  }
});

it('reads what it can of what is stored', () => {
  expect(
    readGenerators([null, 3, { name: 'a', words: ['x', 1] }, { name: '', words: [] }, { words: [] }]),
  ).toEqual([{ name: 'a', words: ['x'] }]);
});

it('reads words line by line, up to a limit', () => {
  expect(parseWords(' a \n\nb')).toEqual(['a', 'b']);
  expect(parseWords('x\n'.repeat(MAX_WORDS + 5))).toHaveLength(MAX_WORDS);
});

const chance = fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true }));

it('draws one of several words, and numbers of a range, both ends included', () => {
  for (let at = 0; at < 6; at++) {
    const text = drawn('{red| blue } {6–1} {-2-2}', [], () => (at + 0.5) / 6);
    expect(text).toBe(`${at < 3 ? 'red' : 'blue'} ${at + 1} ${Math.floor(((at + 0.5) / 6) * 5) - 2}`);
  }
  expect(drawn('{1–9999999999}', [], () => 0)).toBe('{1–9999999999}');
});

it('draws from choices inside choices, and from the lists in them', () => {
  const all = [{ name: 'tree', words: ['oak', 'ash ×0'] }];
  const seen = new Set<string>();
  for (let at = 0; at < 64; at++) {
    const numbers = [at & 3, (at >> 2) & 3, (at >> 4) & 3].map((n) => (n + 0.5) / 4);
    let next = 0;
    seen.add(drawn('{a|{b|{tree}}} {c ×0|d}', all, () => numbers[next++] ?? 0));
  }
  expect([...seen].sort()).toEqual(['a d', 'b d', 'oak d']);
  expect(drawn('{ {tree} {', all, () => 0)).toBe('{ oak {');
  expect(drawn('{old {tree}}', all, () => 0)).toBe('{old oak}');
  expect(renamedSlots('{a|{tree}|{b|{ Tree }}} tree', 'tree', 'wood')).toBe('{a|{wood}|{b|{wood}}} tree');
});

it('finds every place and changes nothing else, whatever the braces', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '|', 'a', ' '), maxLength: 30 }), (text) => {
      expect(renamedSlots(text, 'none of these', 'x')).toBe(text);
      const pieces = drawIdea(text, [], () => 0);
      for (const { text: shown, place } of pieces) if (place === null) expect(text).toContain(shown);
    }),
  );
});

it.each([
  [
    'an',
    [
      'otter',
      'hour',
      'heir',
      'honour',
      'FBI agent',
      'X-ray',
      '8-ball',
      '11 coins',
      'unimportant letter',
      'umbrella',
    ],
  ],
  ['a', ['fox', 'unicorn', 'user', 'one-off', 'UFO', 'euro', 'U-boat', '1st', '10 coins', 'horse', 'utopia']],
])('writes “%s” by the sound of the word', (article, words) => {
  for (const word of words) expect(drawn(`a(n) ${word}`, [], () => 0)).toBe(`${article} ${word}`);
});

it('draws words as often as their weights say', () => {
  const oaks = [{ name: 'tree', words: ['oak ×3', 'ash', 'box2', '×2'] }];
  const counts = new Map<string, number>();
  for (let at = 0; at < 6; at++) {
    const word = drawn('{tree}', oaks, () => (at + 0.5) / 6);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  expect([...counts]).toEqual([
    ['oak', 3],
    ['ash', 1],
    ['box2', 1],
    ['×2', 1],
  ]);
});

it('fills places in words too, and ends with lists that hold themselves', () => {
  const nested = [
    { name: 'beast', words: ['{colour} fox'] },
    { name: 'loop', words: ['again {loop}'] },
    ...lists,
  ];
  expect(drawn('{beast}', nested, () => 0)).toBe('red fox');
  expect(drawn('{loop}', nested, () => 0)).toBe('again again again again again {loop}');
});

it('says a or an as the next word wants', () => {
  const of = (word: string) => drawn('A(n) {x} and a(n) {x}', [{ name: 'x', words: [word] }], () => 0);
  expect(of('otter')).toBe('An otter and an otter');
  expect(of('fox')).toBe('A fox and a fox');
  expect(drawn('a(n) old banana(n)', [], () => 0)).toBe('an old banana(n)');
});

it('keeps locked words where they are and draws them nowhere else', () => {
  const words = ['a', 'b', 'c', 'd', 'e'];
  fc.assert(
    fc.property(chance, fc.subarray([0, 1, 2]), (stream, places) => {
      const random = () => stream.next().value;
      const first = drawIdea('{x}, {x}, {x}', [{ name: 'x', words }], random);
      const locked = new Map(
        first.flatMap(({ place, text }) =>
          place !== null && places.includes(place) ? [[place, text] as const] : [],
        ),
      );
      const second = drawIdea('{x}, {x}, {x}', [{ name: 'x', words }], random, locked);
      const found = second.flatMap(({ place, text }) => (place === null ? [] : [text]));
      for (const [place, text] of locked) expect(found[place]).toBe(text);
      expect(new Set(found).size).toBe(3);
    }),
  );
});

it('renames the places of a list with it', () => {
  expect(renamedSlots('{Colour} { colour } {colours} colour {colour|b}', 'colour', 'hue')).toBe(
    '{hue} {hue} {colours} colour {colour|b}',
  );
});

it('fills an idea with so many words and no more, though a list names itself in every word', () => {
  const grows = [{ name: 'a', words: ['{a}'.repeat(40)] }];
  const idea = drawn('{a}'.repeat(100), grows, () => 0);
  expect(idea).toContain('{a}');
  expect(idea.length).toBeLessThan(1_000 * 120);
});
