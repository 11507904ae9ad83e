import { expect, test } from 'vitest';
import { sampleRulebook } from '../../testing/sample-rulebook.ts';
import { hardChapters, readability, syllablesOf } from './readability.ts';

test('syllables are counted as they are heard', () => {
  const words = {
    tide: 1,
    table: 2,
    played: 1,
    area: 2,
    player: 2,
    majority: 4,
    the: 1,
    shuffle: 2,
    cards: 1,
  };
  for (const [word, count] of Object.entries(words)) expect([word, syllablesOf(word)]).toEqual([word, count]);
});

test('short words and sentences are easy, long ones hard, in either measure', () => {
  const easy = 'Take a card. Lay it down. Then it is my turn.';
  const hard =
    'Notwithstanding any previously established administrative considerations, participants simultaneously determine individually appropriate redistributions of accumulated commodities.';
  expect(readability(easy, 'en-gb')).toMatchObject({ measure: 'Flesch–Kincaid grade', words: 11 });
  expect(readability(easy, 'en-gb').value).toBeLessThan(2);
  expect(readability(hard, 'en-gb').value).toBeGreaterThan(20);
  expect(readability('Wir spielen. Du ziehst.', 'de')).toEqual({ measure: 'LIX', value: 27, words: 4 });
  expect(readability('', 'de').value).toBe(0);
});

test('only a hard chapter is found, at its heading', () => {
  const doc = sampleRulebook();
  expect(hardChapters(doc)).toEqual([]);
  const hard = Array.from(
    { length: 14 },
    () => 'Participants simultaneously determine appropriate redistributions of accumulated commodities.',
  );
  const found = hardChapters({
    ...doc,
    blocks: [
      ...doc.blocks,
      { type: 'heading', id: 'duties', level: 1, content: [{ type: 'text', text: 'Duties' }] },
      { type: 'paragraph', id: 'p', content: [{ type: 'text', text: hard.join(' ') }] },
    ],
  });
  expect(found.map(({ code, block }) => [code, block])).toEqual([['hard-to-read', 'duties']]);
  expect(found[0]?.message).toContain('The chapter Duties');
});
