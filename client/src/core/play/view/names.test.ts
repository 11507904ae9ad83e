import { expect, test } from 'vitest';
import type { SeatNo, Shown } from '../protocol/messages.ts';
import { pieceState } from './names.ts';
import type { TableView } from './view.ts';

const view = (searched_by: SeatNo[]) =>
  ({
    table: { seats: { 0: { name: 'Ann' } } },
    pieces: new Map([['7', { container: { kind: 'stack', count: 2, searched_by } } as unknown as Shown]]),
  }) as unknown as TableView;

test('those who look through a pile are named in a sentence, by their seat where it has no name', () => {
  expect(pieceState(view([]), '7')).toBe('2 pieces');
  expect(pieceState(view([0]), '7')).toBe('2 pieces, Ann looks through it');
  expect(pieceState(view([0, 1]), '7')).toBe('2 pieces, Ann and Seat B look through it');
});
