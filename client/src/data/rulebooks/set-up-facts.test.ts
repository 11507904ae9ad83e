import { expect, test } from 'vitest';
import { MAX_PIECES, MAX_STEPS } from '../../core/play/protocol/limits.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { cardSchema, componentSchema, layoutDocumentSchema } from '../documents/documents.ts';
import { setUpFacts } from './set-up-facts.ts';

const LAYOUTS = [
  {
    id: 'l',
    ...layoutDocumentSchema.parse({
      name: 'Card',
      version: 1,
      updatedAt: 0,
      scene: newLayout('Card'),
    }),
  },
];
const part = (kind: string, id: string, copies: readonly number[]) => ({
  component: {
    id,
    ...componentSchema.parse({ name: id, kind, layoutId: 'l', order: 0, columns: [] }),
  },
  cards: copies.map((own, order) => ({
    id: `${id}${order}`,
    ...cardSchema.parse({ order, copies: own, cells: {} }),
  })),
});
const many = (kind: string, count: number) =>
  Array.from({ length: count }, (_, at) => part(kind, `${kind}${at}`, [1]));
/** Components of the most copies that a card has. */
const crowd = Array.from({ length: MAX_PIECES / 100 + 1 }, (_, at) => part('cards', `c${at}`, [100]));

test.each([
  ['boards', many('boards', MAX_STEPS)],
  ['decks', many('cards', MAX_STEPS)],
  ['pieces', crowd],
])('more %s than a table holds make no picture, and the advice is one that a text can follow', (_, parts) => {
  expect(setUpFacts(parts, LAYOUTS)).toEqual({
    problem:
      'This project has more than one table holds, so there is no picture of it: show a picture of your own instead.',
  });
});

test('a project without cards is told what to add, and another has its picture', () => {
  expect(setUpFacts([], LAYOUTS)).toEqual({ problem: expect.stringMatching(/^Nothing here can lie/) });
  expect(setUpFacts(many('boards', 2), LAYOUTS)).toMatchObject({ legend: [{ x: 0 }, {}] });
});
