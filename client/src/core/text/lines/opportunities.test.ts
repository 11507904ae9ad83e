import fc from 'fast-check';
import LineBreaker from 'linebreak';
import { describe, expect, test } from 'vitest';
import { opportunitiesOf } from './opportunities.ts';

function pieces(text: string): string[] {
  const breaker = opportunitiesOf(text);
  const found: string[] = [];
  let start = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    found.push(text.slice(start, next.position));
    start = next.position;
  }
  return found;
}

const NO_START = '、。，．・：；？！）」』】〉》〕ーァィゥェォッャュョヮぁぃぅぇぉっゃゅょゎ々〻ゝ…‥”’';
const NO_END = '（「『【〈《〔“‘';
const LETTERS = '火山灯台守古い地図カードの上に置く雪女';

describe('ends of lines', () => {
  test.each([
    ['Japanese, between characters', '捨て札に置く。', ['捨', 'て', '札', 'に', '置', 'く。']],
    ['brackets stay with what they enclose', '「火」を', ['「火」', 'を']],
    ['a long vowel stays with its syllable', 'カード', ['カー', 'ド']],
    ['two dots of ellipsis stay together', '得る。……ただ', ['得', 'る。……', 'た', 'だ']],
    ['Chinese quotation marks', '一张“火焰”牌', ['一', '张', '“火', '焰”', '牌']],
    ['a comma behind a quotation mark', '“火”，然', ['“火”，', '然']],
    ['an apostrophe in English', 'the player’s “best” card', ['the ', 'player’s ', '“best” ', 'card']],
    ['Thai, between words', 'จั่วการ์ดสองใบ', ['จั่ว', 'การ์ด', 'สอง', 'ใบ']],
    ['Thai signs of repetition', 'เร็วๆ นี้', ['เร็วๆ ', 'นี้']],
    ['Thai beside numbers and English', 'ได้ 3 Points ทันที', ['ได้ ', '3 ', 'Points ', 'ทันที']],
    ['joined emoji, modified ones and flags', '👨‍👩‍👧‍👦👍🏽🇯🇵🇩🇪', ['👨‍👩‍👧‍👦', '👍🏽', '🇯🇵', '🇩🇪']],
    [
      'letters with combining marks',
      'e\u0301te\u0301 か\u3099か\u3099',
      ['e\u0301te\u0301 ', 'か\u3099', 'か\u3099'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  test('no line of East Asian text begins or ends with what may not stand there', () => {
    const character = fc.constantFrom(...NO_START, ...NO_END, ...LETTERS, ...LETTERS);
    fc.assert(
      fc.property(fc.array(character, { minLength: 2, maxLength: 40 }), (characters) => {
        const text = characters.join('');
        const found = pieces(text);
        expect(found.join('')).toBe(text);
        for (const [at, piece] of found.entries()) {
          // A mark before the very first character has nothing to stay with.
          if (at > 0) expect(NO_START).not.toContain(piece[0]);
          if (at < found.length - 1) expect(NO_END).not.toContain(piece.at(-1));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('text without such scripts breaks where the rules of Unicode alone say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        expect(opportunitiesOf(text)).toBeInstanceOf(LineBreaker);
      }),
    );
  });
});
