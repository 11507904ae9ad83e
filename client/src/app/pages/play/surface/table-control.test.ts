import { expect, test, vi } from 'vitest';
import type { Placed } from '../../../../core/play/view/arrange.ts';
import { toScreen } from '../../../../render/play/camera.ts';
import { type ControlHost, TableControl } from './table-control.ts';

const piece = (x: number, y: number): Placed =>
  ({ handle: `${x},${y}`, x, y, w: 600, h: 900, turn: 0, shown: { x, y, z: 0 } }) as unknown as Placed;
const CORNERS = [piece(-3_000, -2_000), piece(3_000, 2_000)];

function control() {
  let size = { width: 800, height: 600 };
  const changed = vi.fn();
  const host = {
    placed: () => CORNERS,
    changed,
    selected: () => [],
    select: () => undefined,
    mayMove: () => false,
    box: () => ({ left: 0, top: 0, ...size }),
  } as unknown as ControlHost;
  const made = new TableControl(host);
  const turn = (width: number, height: number) => {
    size = { width, height };
    made.resized();
  };
  /** True if both corners are in sight. */
  const isWhole = () =>
    CORNERS.every(({ x, y }) => {
      const at = toScreen(made.camera, made.screen, x, y);
      return at.x >= 0 && at.y >= 0 && at.x <= size.width && at.y <= size.height;
    });
  return { made, turn, isWhole, changed };
}

test('the whole table stays in sight while the window changes', () => {
  const { made, turn, isWhole } = control();
  made.fit();
  for (const [width, height] of [
    [390, 500],
    [844, 200],
    [1_440, 800],
    [390, 500],
  ] as const) {
    const { scale } = made.camera;
    turn(width, height);
    expect(isWhole(), `${width} × ${height}`).toBe(true);
    expect(made.camera.scale).not.toBe(scale);
  }
});

test('a part that somebody chose to look at stays, until the whole table is asked for again', () => {
  const { made, turn, isWhole, changed } = control();
  made.fit();
  made.zoom(6);
  made.pan(40, 0);
  const chosen = made.camera;
  changed.mockClear();
  turn(390, 500);
  expect(made.camera).toBe(chosen);
  expect(changed).toHaveBeenCalled();
  made.fit();
  turn(844, 300);
  expect(isWhole()).toBe(true);
});
