import { expect, test } from 'vitest';
import type { Shown } from '../protocol/messages.ts';
import { heldUp, shownSide } from './shown-side.ts';

const side = { name: 'Oracle', layout: 0, table: 0, cells: {} };
const VIEW = {
  faces: new Map([[3, { name: 'Oracle', sides: [side] }]]),
  backs: new Map([
    [1, { name: 'Court', size: { preset: '', w: 1, h: 1, shape: 'rect', radius: 0 } as const }],
  ]),
  common: { layouts: [], tables: [], pictures: [] },
};
const DOWN: Shown = { x: 0, y: 0, z: 0, holder: 'pile', kind: 'card', back: 1, facing: 'down' };

test('a card of a pile that one looks through shows its face, unless that is not seen', () => {
  expect(shownSide(VIEW, { ...DOWN, face: 3 }).text).toBe('Court');
  expect(shownSide(VIEW, heldUp({ ...DOWN, face: 3 })).text).toBe('Oracle');
  expect(shownSide(VIEW, heldUp(DOWN)).text).toBe('Court');
});
