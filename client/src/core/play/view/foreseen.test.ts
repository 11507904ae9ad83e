import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Act, Shown } from '../protocol/messages.ts';
import { foreseen, isForeseen } from './foreseen.ts';
import type { TableView } from './view.ts';

const piece = (more: Partial<Shown> = {}): Shown => ({ x: 0, y: 0, z: 0, kind: 'card', ...more });
const viewOf = (pieces: Readonly<Record<string, Shown>>) =>
  ({ n: 1, pieces: new Map(Object.entries(pieces)) }) as unknown as TableView;
const move = (pieces: readonly string[], x: number, y: number, more: object = {}): Act => ({
  verb: 'move',
  pieces,
  to: { surface: 0, x, y },
  ...more,
});

test('pieces keep their places to each other, and lie on top in their order', () => {
  const view = viewOf({ a: piece({ z: 3 }), b: piece({ x: 20, y: 10, z: 7 }), c: piece({ x: 5 }) });
  const { pieces } = foreseen(view, [move(['a', 'b'], 100, 50, { turn: 90 })]);
  expect(pieces.get('a')).toEqual(piece({ surface: 0, x: 100, y: 50, z: 8, turn: 90 }));
  expect(pieces.get('b')).toEqual(piece({ surface: 0, x: 120, y: 60, z: 9, turn: 90 }));
  expect(pieces.get('c')).toBe(view.pieces.get('c'));
});

test('acts that others have a say in leave the view as it is', () => {
  const view = viewOf({
    a: piece(),
    held: piece({ holder: 'deck', at: 0 }),
    locked: piece({ locked: true }),
    joined: piece({ group: 1 }),
  });
  const acts = [
    ...['held', 'locked', 'joined', 'gone'].map((one) => move(['a', one], 9, 9)),
    move(['a'], 9, 9, { face: 'up' }),
    move([], 9, 9),
    { verb: 'shuffle', pieces: ['a'] },
    { verb: 'toString', pieces: ['a'] },
  ];
  for (const act of acts) expect(isForeseen(view, act)).toBe(false);
  expect(foreseen(view, acts)).toBe(view);
});

test('steps add up, and turns come round', () => {
  const act = fc.oneof(
    fc.record({ dx: fc.integer({ min: -50, max: 50 }), by: fc.constant(0) }),
    fc.record({ dx: fc.constant(0), by: fc.integer({ min: -720, max: 720 }) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), (steps) => {
      const acts: Act[] = [];
      let [x, turn] = [0, 0];
      for (const { dx, by } of steps) {
        x += dx;
        turn += by;
        acts.push(by === 0 ? move(['a'], x, 0) : { verb: 'turn', pieces: ['a'], by });
      }
      const shown = foreseen(viewOf({ a: piece() }), acts).pieces.get('a');
      expect(shown?.x).toBe(x);
      expect(shown?.turn ?? 0).toBe(((turn % 360) + 360) % 360);
    }),
  );
});
