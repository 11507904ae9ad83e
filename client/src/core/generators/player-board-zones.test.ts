import { expect, test } from 'vitest';
import { spacesOf } from '../layout/laid-spaces.ts';
import { layoutSchema } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { boardRemarks, MAX_LINE_PLACES, playerBoardZones, readBoardLine } from './player-board-zones.ts';

const COLUMNS = ['Name', 'Home town'];
const BOX = { x: 10, y: 10, w: 180, h: 90 };
const STYLE = { colour: '#ffffff', line: '#000000', names: 0.25, type: {} };

test.each([
  ['Gold 0–10', { name: 'Gold', kind: 'track', from: 0, to: 10 }],
  ['Honour -3..3', { name: 'Honour', kind: 'track', from: -3, to: 3 }],
  ['Cold −5—5', { name: 'Cold', kind: 'track', from: -5, to: 5 }],
  ['Score 0-100', { name: 'Score', kind: 'track', from: 0, to: MAX_LINE_PLACES - 1 }],
  ['Workers × 5', { name: 'Workers', kind: 'slots', count: 5 }],
  ['Cards x2', { name: 'Cards', kind: 'slots', count: 2 }],
  ['home TOWN', { name: 'home TOWN', kind: 'value', column: 'Home town' }],
  ['Your realm', { name: 'Your realm', kind: 'title' }],
])('«%s» is a line of its kind', (text, line) => {
  expect(readBoardLine(text, COLUMNS)).toEqual(line);
});

test('its lines lie below one another inside the box, and its tracks and slots are spaces with names of their own', () => {
  const lines = ['Your realm', 'Name', 'Gold 0–10', 'Workers × 5'].map((one) => readBoardLine(one, COLUMNS));
  let made = 0;
  const group = playerBoardZones(BOX, lines, STYLE, () => `n${++made}`);
  const board = { ...newLayout('Board'), zones: [group] };
  expect(layoutSchema.safeParse(board).success).toBe(true);
  for (const { x, y, w, h } of group.children) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + w).toBeLessThanOrEqual(BOX.w + 1e-9);
    expect(y + h).toBeLessThanOrEqual(BOX.h + 1e-9);
  }
  const names = spacesOf(board, { cells: {} }, []).map(({ name }) => name);
  expect(names).toHaveLength(16);
  expect(new Set(names).size).toBe(16);
  expect(names).toContain('Gold 10');
  const bound = group.children.filter(({ bindings }) => 'text' in bindings);
  expect(bound.map(({ bindings }) => bindings)).toEqual([{ text: { mode: 'column', column: 'Name' } }]);
});

test('what a board has no room for is told', () => {
  expect(boardRemarks(['Gold 0–30', 'Workers × 31', 'Your realm', 'Life 20'])).toEqual([]);
  expect(boardRemarks(['Score 100–0', 'Men × 500', '× 40'])).toEqual([
    'Score has 31 of its 101 places: a line has no more.',
    'Men has 31 of its 500 places: a line has no more.',
    'A line has 31 of its 40 places: a line has no more.',
  ]);
  const many = Array.from({ length: 21 }, (_, at) => `Line ${at}–${at + 50}`);
  expect(boardRemarks(many)).toHaveLength(21);
  expect(boardRemarks(many).at(-1)).toBe('1 line is left out: a board has 20.');
});
