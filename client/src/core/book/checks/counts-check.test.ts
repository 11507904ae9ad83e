import { describe, expect, test } from 'vitest';
import { type Block, RULEBOOK_VERSION } from '../document/schema.ts';
import { EMPTY_PROJECT } from '../typesetting/context.ts';
import { countFindings } from './counts-check.ts';

const project = {
  ...EMPTY_PROJECT,
  components: [
    { name: 'Cards', count: 52 },
    { name: 'Coins', count: 30 },
    { name: 'Tides', count: 6 },
  ],
};
const content = (text: string) => [{ type: 'text' as const, text }];
const chapter = (title: string, ...texts: string[]): Block[] => [
  { type: 'heading', id: 'h', level: 1, content: content(title) },
  ...texts.map((text, at): Block => ({ type: 'paragraph', id: `p${at}`, content: content(text) })),
];
const found = (blocks: readonly Block[]) =>
  countFindings(
    { version: RULEBOOK_VERSION, title: 'Rules', subtitle: '', language: 'en', blocks },
    project,
  ).map(({ message }) => /says (\d+ \w+)/.exec(message)?.[1]);

describe('a number is compared with the project', () => {
  test.each([
    ['This game has 50 cards.', '50 Cards'],
    ['The game contains 20 coins and a beach.', '20 Coins'],
    ['The deck consists of 40 cards.', '40 Cards'],
    ['There are 28 coins.', '28 Coins'],
    ['There are 7 tides in the box.', '7 Tides'],
    ['In all, there are 5 tides.', '5 Tides'],
    ['Shuffle all 54 cards.', '54 Cards'],
    ['Shuffle the 54 cards and deal five to each player.', '54 Cards'],
    ['Give each player five coins: these are 5 of the 32 coins.', '32 Coins'],
    ['Put the 5 tides in a row.', '5 Tides'],
    ['Take 49 cards.', '49 Cards'],
    ['All 29 coins lie on the table.', '29 Coins'],
  ])('in “%s”', (text, said) => {
    expect(found(chapter('Rules', text))).toEqual([said]);
  });

  test.each([
    ['54 cards', '54 Cards'],
    ['5 tides (one for each round)', '5 Tides'],
    ['52 cards, 25 coins and 6 tides', '25 Coins'],
    ['3 × cards', '3 Cards'],
  ])('in the list of components, in “%s”', (text, said) => {
    expect(found(chapter('What is in the box', text))).toEqual([said]);
  });
});

describe('a number of some is no mistake', () => {
  test.each([
    'All 52 cards.',
    'Whoever has 5 cards discards one.',
    'A player who has 5 cards stops drawing.',
    'If your hand has 7 cards, discard two.',
    'Your starting deck has 10 cards.',
    'Each player has 5 coins.',
    'The market has 5 cards.',
    'When the row has 3 cards, refill it.',
    'The winner has 12 coins.',
    'The 3 cards you drew go to your hand.',
    'Return these 2 cards to the box.',
    'Choose one of the 3 cards.',
    'Shuffle the 4 cards and put them back.',
    'There are 5 cards on the beach.',
    'There are 3 coins next to the tide.',
    'The deck has 10 cards left.',
    'Until the deck has fewer than 48 cards, go on.',
    'Start with 5 coins.',
    'A set is 4 cards of one colour.',
    'Play with 45 or more cards.',
    'Players hold 25 coins.',
    'A hand of 5 cards is full.',
    'Reveal the top 6 cards.',
    'Every set of 3 tides is worth 5 points.',
    'A find contains 2 coins.',
    'The house costs 25 coins.',
    'After 50 cards the storm comes.',
    'A gull with 28 coins is rich.',
    'The game ends once the deck contains 10 cards.',
  ])('in “%s”', (text) => {
    expect(found(chapter('Rules', text))).toEqual([]);
  });

  test.each(['Each player takes 5 coins.', 'Deal 4 cards.', '6 tides', 'Put 3 coins on each tide.'])(
    'in the list of components, in “%s”',
    (text) => {
      expect(found(chapter('Components', text))).toEqual([]);
    },
  );
});
