import { expect, test } from 'vitest';
import type { Step } from '../protocol/buttons.ts';
import { stepWords } from './step-words.ts';

const SUPPLY = {
  stock: [{ no: 4, name: 'Coin' }],
  sets: [{ name: 'Cards', pieces: 12, backs: [0] }],
};
const deck = { name: 'Deck' };
const own = { name: 'Hand', own: true };
const at = (x: number, y: number) => ({ at: { surface: 0, x, y } });

test('every step is said in words', () => {
  const said: readonly (readonly [Step, string])[] = [
    [{ do: 'shuffle', what: deck }, 'Shuffle Deck'],
    [
      { do: 'deal', from: deck, most: { formula: { plus: ['players', { number: 1 }] } } },
      'Deal players + 1 from Deck to each player',
    ],
    [
      { do: 'move', what: { from: deck, most: { fixed: 3 } }, to: { into: own }, face: 'down' },
      'Move 3 from Deck to Hand of the player, face down',
    ],
    [{ do: 'flip', what: { from: deck } }, 'Turn over all of Deck'],
    [{ do: 'reveal', what: { from: deck, most: { fixed: 1 } } }, 'Turn 1 from Deck face up'],
    [{ do: 'roll', what: { name: 'Die' } }, 'Roll Die'],
    [{ do: 'set', what: { name: 'Score' }, value: 0, formula: 'round' }, 'Set Score to round'],
    [{ do: 'phase', phase: 'Harvest' }, 'Go to the phase “Harvest”'],
    [{ do: 'say', text: 'Go' }, 'Write in the log: “Go”'],
    [
      { do: 'note', text: 'Mind the gap', to: at(0, 0), marks: { locked: true } },
      'Put a note on the middle of the table: “Mind the gap”, locked',
    ],
    [
      { do: 'move', seat: 1, what: { from: deck, most: { fixed: 2 } }, to: { into: own } },
      'Move 2 from Deck to Hand of the player, for seat B',
    ],
    [
      {
        do: 'move',
        what: { from: deck, most: { fixed: 1 } },
        to: at(10, 0),
        face: 'down',
        marks: { turn: 90, tint: 255 },
      },
      'Move 1 from Deck to the table (1 mm right), face down, turned by 90°, tinted',
    ],
    [{ do: 'wait-for-host' }, 'Wait for the host'],
    [
      { do: 'place', place: { set: 0 }, to: { into: deck }, face: 'down' },
      'Put all of Cards into Deck, face down',
    ],
    [
      { do: 'place', place: { rest: { set: 0, most: { fixed: 5 } } }, to: { into: deck } },
      'Put 5 of Cards, by chance, into Deck',
    ],
    [
      { do: 'place', place: { pieces: { definition: 4, copies: 3 } }, to: at(0, 0) },
      'Put 3 × Coin on the middle of the table',
    ],
    [
      { do: 'place', place: { pieces: { definition: 4 } }, to: at(105, -20) },
      'Put all copies of Coin on the table (10.5 mm right, 2 mm up)',
    ],
    [
      {
        do: 'place',
        place: { pieces: { definition: 9, copies: 1 } },
        to: { within: { into: deck, x: 10, y: 20 } },
      },
      'Put 1 × a piece you have not seen into Deck (1 mm right, 2 mm down)',
    ],
    [
      { do: 'place', each_seat: true, place: { container: { kind: 'hand', name: 'Hand' } }, to: at(0, 0) },
      'Make the hand “Hand” for each seat',
    ],
    [
      { do: 'place', place: { container: { kind: 'zone', name: 'Market' } }, to: at(0, 0) },
      'Make the area “Market” on the middle of the table',
    ],
    [
      { do: 'place', each_seat: true, place: { container: { kind: 'tray', name: 'Mat' } }, to: at(0, 0) },
      'Make the private area “Mat” for each seat',
    ],
    [
      { do: 'shuffle', what: own, each_seat: true, times: { fixed: 2 } },
      'Shuffle Hand of the player, for each player, 2 times',
    ],
  ];
  for (const [step, words] of said) expect(stepWords(step, SUPPLY)).toBe(words);
});
