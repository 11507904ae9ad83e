import fc from 'fast-check';
import { lauxlib, lua, lualib, to_luastring } from 'fengari';
import { expect, test } from 'vitest';
import { ACCEPTED_PIECES } from '../board/space.ts';
import { MAX_SPACES, type Space } from '../layout/spaces.ts';
import { boardScript } from './board-spaces.ts';
import { boardsOfSave } from './read-spaces.ts';
import { readSave, type TtsObject } from './save.ts';

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
  ...{ accepts: [], holds: 0, order: 0, links: [], piecesTurn: undefined },
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
    space(310, 170, { role: 'deck', turn: 90, piecesTurn: 90 }),
    space(310, 170, { role: 'slot', turn: 12.5, piecesTurn: 12.5 }),
    space(310, 170, { role: 'spot', turn: 90 }),
    space(310, 170, { role: 'spot', turn: 90, piecesTurn: 120 }),
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
    ['120', 'true'],
  ]);
});

test('a script of the designer’s own still runs', () => {
  const own = "function onLoad(state) self.getScale() ran = 'own' end";
  const script = boardScript([space(310, 170)], BOARD);
  expect(
    run(`${own}\n${script}\nlocal all = onLoad\nfunction onLoad(s) all(s) said = ran .. ' ' .. said end`),
  ).toMatch(/^own /);
});

test('without spaces there is no script', () => {
  expect(boardScript([space(1, 1, { role: 'area' })], BOARD)).toBe('');
});

test('a large map keeps all its snap points', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => space((at % 600) + at / MAX_SPACES, at % 300));
  expect(run(boardScript(many(2_000), BOARD)).split(';')).toHaveLength(2_001);
  const whole = boardScript(many(MAX_SPACES), BOARD);
  expect(boardsOfSave({ ObjectStates: [board(whole)] }, BOARD)[0]?.points).toHaveLength(MAX_SPACES);
});

test('the order of play is that of the points, those without a place last', () => {
  const script = boardScript([space(0, 1), space(2, 1, { order: 9 }), space(3, 1, { order: 2 })], BOARD);
  expect(snapped(script, 620).map(({ Position }) => Math.round(310 - Position.x))).toEqual([3, 2, 0]);
});

/** The board as the game saves it after it has loaded it: its points in units of its own. @param wide units across */
function snapped(script: string, wide: number): NonNullable<TtsObject['AttachedSnapPoints']> {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  const game = `
self = {}
function self.getBoundsNormalized() return { size = { x = ${wide} * 2, y = 1, z = ${(wide * BOARD.h) / BOARD.w} * 2 } } end
function self.getScale() return { x = 2, y = 1, z = 2 } end
function self.setSnapPoints(points)
  local all = {}
  for _, p in ipairs(points) do
    local tags = {}
    for _, tag in ipairs(p.tags or {}) do tags[#tags + 1] = '"' .. tag .. '"' end
    local turn = p.rotation_snap and string.format(',"Rotation":{"x":0,"y":%.17g,"z":0}', p.rotation[2]) or ''
    all[#all + 1] = string.format('{"Position":{"x":%.7g,"y":0.1,"z":%.7g}%s,"Tags":[%s]}',
      p.position[1], p.position[3], turn, table.concat(tags, ','))
  end
  said = '[' .. table.concat(all, ',') .. ']'
end
`;
  const failed = lauxlib.luaL_dostring(state, to_luastring(`${game}\n${script}\nonLoad('')\nreturn said`));
  const answer = lua.lua_tojsstring(state, -1);
  if (failed) throw new Error(answer);
  return JSON.parse(answer) as NonNullable<TtsObject['AttachedSnapPoints']>;
}

const board = (script: string, more: Partial<TtsObject> = {}): TtsObject => ({
  Name: 'Custom_Board',
  Nickname: 'Board',
  LuaScript: `function onLoad() end\n${script}`,
  ...more,
});
const throughFile = (object: TtsObject) =>
  boardsOfSave(readSave(JSON.stringify({ ObjectStates: [object] })), BOARD)[0]?.points ?? [];

test('spaces go to a save and come back to a tenth of a millimetre, before and after the game has loaded it', () => {
  const places = fc.record({
    x: fc.double({ min: 0, max: BOARD.w, noNaN: true }),
    y: fc.double({ min: 0, max: BOARD.h, noNaN: true }),
    piecesTurn: fc.option(fc.double({ min: 0, max: 359, noNaN: true }), { nil: undefined }),
    accepts: fc.subarray([...ACCEPTED_PIECES]),
  });
  fc.assert(
    fc.property(
      fc.array(places, { minLength: 2, maxLength: 30 }),
      fc.double({ min: 0.5, max: 60, noNaN: true }),
      (list, wide) => {
        const spaces = list.map(({ x, y, ...more }) => space(x, y, more));
        // One far from the middle, so that there is something to measure the board by.
        spaces.unshift(space(0, 0));
        const script = boardScript(spaces, BOARD);
        for (const object of [board(script), board(script, { AttachedSnapPoints: snapped(script, wide) })]) {
          const back = throughFile(object);
          expect(back).toHaveLength(spaces.length);
          for (const [index, point] of back.entries()) {
            const from = spaces[index] as Space;
            expect(Math.hypot(point.x - from.x, point.y - from.y)).toBeLessThan(0.1);
            expect(point.turn ?? -1).toBeCloseTo(from.piecesTurn ?? -1, 6);
            expect(point.accepts).toEqual(from.accepts);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('points that were moved and added in the game come back where they are', () => {
  const spaces = [space(20, 30), space(100, 50), space(600, 300), space(50, 300), space(400, 20)];
  const script = boardScript(spaces, BOARD);
  const points = snapped(script, 15.5);
  const [first] = points;
  if (!first) throw new Error('no points');
  // A board 15.5 units wide is 40 mm a unit; its own x runs to the left.
  first.Position.x -= 1;
  points.push({ Position: { x: 0, y: 0.1, z: 0 } });
  const back = throughFile(board(script, { AttachedSnapPoints: points }));
  const rounded = back.map(({ x, y }) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
  expect(rounded[0]).toEqual([60, 30]);
  expect(rounded.at(-1)).toEqual([310, 170]);
  expect(rounded).toHaveLength(6);
});

test('points stay where they are when others were deleted in the game, whichever of them', () => {
  const places = fc.record({
    x: fc.double({ min: 0, max: BOARD.w, noNaN: true }),
    y: fc.double({ min: 0, max: BOARD.h, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(places, { minLength: 4, maxLength: 30 }),
      fc.double({ min: 0.5, max: 60, noNaN: true }),
      fc.nat(),
      fc.integer({ min: 1, max: 3 }),
      (list, wide, first, count) => {
        // Far from the middle and in no line with it, so that there is something to measure the board by.
        const spaces = [
          space(0, 20),
          space(500, 10),
          ...list.map(({ x, y }) => space(x, y)),
          space(600, 310),
        ];
        const script = boardScript(spaces, BOARD);
        const points = snapped(script, wide);
        const at = first % list.length;
        points.splice(at, count);
        const back = throughFile(board(script, { AttachedSnapPoints: points }));
        const left = spaces.toSpliced(at, count);
        expect(back).toHaveLength(left.length);
        for (const [index, { x, y }] of back.entries())
          expect(Math.hypot(x - (left[index]?.x ?? 0), y - (left[index]?.y ?? 0))).toBeLessThan(0.1);
      },
    ),
    { numRuns: 40 },
  );
});

test('points of somebody else’s board are in units that nothing says', () => {
  const points = [{ Position: { x: 1, y: 0, z: 1 } }];
  expect(throughFile(board('', { AttachedSnapPoints: points }))).toEqual([]);
});
