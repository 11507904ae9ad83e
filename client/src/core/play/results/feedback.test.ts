import { expect, it } from 'vitest';
import { feedbackTable, type Given, summed } from './feedback.ts';

const given: readonly Given[] = [
  {
    table: 't',
    name: 'Friday',
    by: 'Ben',
    at: 1_000,
    answers: [
      { ask: 'Fun?', kind: 'scale', low: 'No', high: 'Yes', answer: 4 },
      { ask: 'Length?', kind: 'choice', choices: ['Short', 'Long'], answer: 'Long' },
      { ask: 'Cards?', kind: 'cards', answer: ['Fireball', 'Shield'] },
      { ask: 'More?', kind: 'text', answer: 'Shorter, "please"' },
    ],
  },
  {
    table: 't',
    name: 'Friday',
    by: 'Cat',
    at: 2_000,
    answers: [
      { ask: 'Fun?', kind: 'scale', low: 'No', high: 'Yes', answer: 5 },
      { ask: 'Length?', kind: 'choice', choices: ['Short', 'Long'], answer: null },
      { ask: 'Cards?', kind: 'cards', answer: ['Fireball'] },
    ],
  },
];

it('adds up answers by question', () => {
  expect(summed(given)).toEqual([
    { ask: 'Fun?', kind: 'scale', n: 2, mean: 4.5, counts: [0, 0, 0, 1, 1], low: 'No', high: 'Yes' },
    {
      ask: 'Length?',
      kind: 'choice',
      n: 1,
      counts: [
        ['Short', 0],
        ['Long', 1],
      ],
    },
    {
      ask: 'Cards?',
      kind: 'cards',
      n: 2,
      counts: [
        ['Fireball', 2],
        ['Shield', 1],
      ],
    },
    { ask: 'More?', kind: 'text', n: 1, words: [{ by: 'Ben', text: 'Shorter, "please"' }] },
  ]);
  expect(summed([])).toEqual([]);
});

it('keeps apart questions that were asked in another way', () => {
  const [ben] = given;
  const other: Given = { ...(ben as Given), answers: [{ ask: 'Fun?', kind: 'text', answer: 'Yes' }] };
  expect(summed([...given, other]).filter(({ ask }) => ask === 'Fun?')).toHaveLength(2);
});

it('counts choices that a question no longer offers, so that bars add up to its answers', () => {
  const answered = (choices: readonly string[], answer: string): Given => ({
    ...(given[0] as Given),
    answers: [{ ask: 'Length?', kind: 'choice', choices, answer }],
  });
  expect(summed([answered(['Short', 'Long'], 'Long'), answered(['Brief', 'Long'], 'Brief')])).toEqual([
    {
      ask: 'Length?',
      kind: 'choice',
      n: 2,
      counts: [
        ['Short', 0],
        ['Long', 1],
        ['Brief', 1],
      ],
    },
  ]);
});

it('is a table with a line for each person', () => {
  const { header, rows } = feedbackTable(given);
  expect(header).toEqual(['At', 'Table', 'By', 'Fun?', 'Length?', 'Cards?', 'More?']);
  expect(rows[0]?.slice(1)).toEqual(['Friday', 'Ben', '4', 'Long', 'Fireball; Shield', 'Shorter, "please"']);
  expect(rows[1]?.slice(1)).toEqual(['Friday', 'Cat', '5', '', 'Fireball', '']);
});
