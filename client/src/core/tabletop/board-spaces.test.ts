import { lauxlib, lua, lualib, to_luastring } from 'fengari';
import { expect, test } from 'vitest';
import type { Space } from '../layout/spaces.ts';
import { boardScript, MAX_SNAP_POINTS } from './board-spaces.ts';

/** The game, as far as the script knows it: a board whose size in its own units is its own. */
const GAME = `
self = {}
function self.getBoundsNormalized() return { size = { x = 31, y = 0.4, z = 17 } } end
function self.getScale() return { x = 8.5, y = 1, z = 8.5 } end
function self.setSnapPoints(points)
  said = ''
  for _, point in ipairs(points) do
    local p, r = point.position, point.rotation
    said = said .. string.format('%.9f %.9f %g %s;', p[1] * 8.5, p[3] * 8.5, r[2], tostring(point.rotation_snap))
  end
end
`;

function run(script: string): string {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  const failed = lauxlib.luaL_dostring(state, to_luastring(`${GAME}\n${script}\nonLoad('')\nreturn said`));
  const answer = lua.lua_tojsstring(state, -1);
  if (failed) throw new Error(answer);
  return answer;
}

const space = (x: number, y: number, change: Partial<Space> = {}): Space => ({
  zone: 'z',
  name: 'A1',
  role: 'spot',
  x,
  y,
  w: 10,
  h: 10,
  turn: 0,
  ...change,
});
const BOARD = { w: 620, h: 340 };

test('pieces snap to the middle of each space, to a tenth of a millimetre, whatever size the board has', () => {
  const at = [
    [0, 0],
    [620, 340],
    [310, 170],
    [123.456, 7.891],
  ] as const;
  const points = run(
    boardScript(
      at.map(([x, y]) => space(x, y)),
      BOARD,
    ),
  )
    .split(';')
    .filter((line) => line !== '')
    .map((line) => line.split(' ').map(Number));
  // The board of 31 × 17 units is 620 × 340 mm: 20 mm a unit. It is seen from its own other side: x runs to the left.
  for (const [index, [x, y]] of at.entries()) {
    expect(Math.abs(310 - (points[index]?.[0] ?? 0) * 20 - x)).toBeLessThan(0.1);
    expect(Math.abs(170 + (points[index]?.[1] ?? 0) * 20 - y)).toBeLessThan(0.1);
  }
});

test('cards and piles lie straight, pieces as they are held, and areas have no point', () => {
  const spaces = [
    space(310, 170, { role: 'deck', turn: 90 }),
    space(310, 170, { role: 'slot', turn: 12.5 }),
    space(310, 170, { role: 'spot', turn: 90 }),
    space(310, 170, { role: 'area' }),
  ];
  const turns = run(boardScript(spaces, BOARD))
    .split(';')
    .slice(0, -1)
    .map((line) => line.split(' ').slice(2));
  expect(turns).toEqual([
    ['90', 'true'],
    ['12.5', 'true'],
    ['90', 'false'],
  ]);
});

test('a script of the designer’s own still runs', () => {
  const own = "function onLoad(state) self.getScale() ran = 'own' end";
  const script = boardScript([space(310, 170)], BOARD);
  expect(
    run(`${own}\n${script}\nlocal all = onLoad\nfunction onLoad(s) all(s) said = ran .. ' ' .. said end`),
  ).toMatch(/^own /);
});

test('without spaces there is no script, and there are at most a thousand points', () => {
  expect(boardScript([space(1, 1, { role: 'area' })], BOARD)).toBe('');
  const many = Array.from({ length: MAX_SNAP_POINTS + 5 }, (_, at) => space(at % 600, 1));
  expect(run(boardScript(many, BOARD)).split(';')).toHaveLength(MAX_SNAP_POINTS + 1);
});
