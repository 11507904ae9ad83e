import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Act, ServerMessage, Shown } from '../../../core/play/protocol/messages.ts';
import { arranged, type Placed } from '../../../core/play/view/arrange.ts';
import { linesOf } from '../../../core/play/view/log-lines.ts';
import { type TableView, viewOfState } from '../../../core/play/view/view.ts';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { newZone, type ZoneOf } from '../../../core/scene/zones.ts';
import { commandOf } from '../../../ui/commands/keys.ts';
import { COMMANDS, doubleOf } from './commands/commands.ts';
import { menuEntries } from './commands/menu-entries.ts';
import type { PlayContext } from './commands/play-context.ts';
import { draggedBy, draggedFrom, dropAct, isGround, targetAt } from './gestures/gestures.ts';
import { rowsOf } from './surface/mirror.tsx';
import { type ControlHost, TableControl } from './surface/table-control.ts';

const recorded = readFileSync(
  new URL('../../../core/play/testing/conversation.jsonl', import.meta.url),
  'utf8',
);
const states = recorded.split('\n').flatMap((line): ServerMessage[] => {
  const message = line === '' ? undefined : (JSON.parse(line) as [string, ServerMessage])[1];
  return message && 'state' in message ? [message] : [];
});
const [first] = states;
if (!first || !('state' in first)) throw new Error('nothing was recorded');
const EMPTY = viewOfState(first.state);

const container = (kind: 'stack' | 'zone' | 'hand', more: object = {}): Shown => ({
  surface: 0,
  x: 0,
  y: 0,
  z: 1,
  kind: 'container',
  name: kind,
  container: { kind, arrangement: 'free', policy: null, size: [600, 900], count: 0, ...more },
});
const card = (more: Partial<Shown>): Shown => ({ surface: 0, x: 0, y: 0, z: 2, kind: 'card', ...more });
const inside = (holder: string, at: number, more: Partial<Shown> = {}): Shown => {
  const { surface: _surface, ...rest } = card(more);
  return { ...rest, holder, at };
};

const PIECES: Readonly<Record<string, Shown>> = {
  deck: { ...container('stack', { count: 3 }), x: -2_000 },
  top: inside('deck', 2, { back: 0 }),
  discard: { ...container('stack'), x: -1_000 },
  area: { ...container('zone', { size: [1_000, 1_000], count: 0 }), x: 2_000 },
  board: card({ kind: 'board', z: 0 }),
  card: card({ y: 1_500, face: 0, facing: 'up' }),
  die: card({ kind: 'die', x: 500, y: 1_500 }),
  hand: container('hand', { owner: 0, count: 1 }),
  held: inside('hand', 0, { face: 1, facing: 'up' }),
};
const VIEW: TableView = { ...EMPTY, pieces: new Map(Object.entries(PIECES)) };
const PLACED = arranged(VIEW);
const at = (handle: string): Placed => {
  const found = PLACED.find((one) => one.handle === handle);
  if (!found) throw new Error(`no ${handle}`);
  return found;
};

function contextOf(
  targets: readonly string[],
  change: Partial<TableView> = {},
  seats: readonly number[] = [0],
) {
  const acts: Act[] = [];
  const looks: number[] = [];
  const pings: (readonly [number, number])[] = [];
  const context: PlayContext = {
    view: { ...VIEW, ...change },
    placed: change.pieces ? arranged({ ...VIEW, ...change }) : PLACED,
    connected: true,
    targets,
    undo: () => acts.push({ verb: 'undo' }),
    isSample: false,
    seats,
    look: (seat) => looks.push(seat),
    ping: (x, y) => pings.push([x, y]),
    eye: {
      zoom: () => undefined,
      fit: () => undefined,
      pan: () => undefined,
      freeSpot: () => ({ x: 12.4, y: -3 }),
    },
    act: async (act) => {
      acts.push(act);
      return { ok: true, n: 1 };
    },
    ask: () => undefined,
    select: () => undefined,
    openMenu: () => undefined,
  };
  return { context, acts, looks, pings };
}
const keyOf = (key: string, change: object = {}) =>
  commandOf(COMMANDS, { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...change });

test('the place of what is selected is shown to everybody, and nothing where nothing lies on the table', () => {
  const command = keyOf('M', { shiftKey: true });
  const { context, pings } = contextOf(['card']);
  expect(command?.refusal(context)).toBeUndefined();
  command?.run(context);
  const card = context.placed.find(({ handle }) => handle === 'card');
  expect(pings).toEqual([[card?.x, card?.y]]);
  expect(command?.refusal(contextOf([]).context)).toBe('Select something that lies on the table first.');
});

test('no two commands share a shortcut', () => {
  const keys = COMMANDS.flatMap((command) => command.keys ?? []);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test.each([
  ['d', ['deck'], { verb: 'draw', into: 'deck', count: 1 }],
  ['3', ['deck'], { verb: 'draw', into: 'deck', count: 3 }],
  ['r', ['deck'], { verb: 'shuffle', into: 'deck' }],
  ['r', ['die'], { verb: 'roll', pieces: ['die'] }],
  ['f', ['card'], { verb: 'flip', pieces: ['card'] }],
  ['e', ['card'], { verb: 'turn', pieces: ['card'], by: 90 }],
  ['h', ['card'], { verb: 'drop', pieces: ['card'], into: 'hand' }],
  ['p', ['held'], { verb: 'move', pieces: ['held'], to: { surface: 0, x: 12, y: -3 } }],
  ['g', ['card', 'die'], { verb: 'stack', pieces: ['card', 'die'] }],
  ['v', ['deck'], { verb: 'peek', into: 'deck', count: 1 }],
  ['z', ['card'], { verb: 'undo' }],
])('%s on %j is sent', (key, targets, act) => {
  const { context, acts } = contextOf(targets);
  const command = keyOf(key, { ctrlKey: key === 'z' });
  expect(command?.refusal(context)).toBeUndefined();
  command?.run(context);
  expect(acts).toEqual([act]);
});

test.each([
  ['d', ['discard'], 'Nothing is left there.'],
  ['d', ['card'], 'Select a pile to draw from.'],
  ['d', [], 'Select a pile to draw from.'],
  ['p', ['card'], 'It lies on the table already.'],
  ['h', ['board'], 'That does not fit in a hand.'],
  ['Delete', ['deck'], 'Empty it before you remove it.'],
])('%s on %j is refused with the reason', (key, targets, reason) => {
  expect(keyOf(key)?.refusal(contextOf(targets).context)).toBe(reason);
});

test('whoever watches, and whoever comes after the end, is told so by every entry of the menu', () => {
  const reasons = (change: Partial<TableView>) =>
    new Set(menuEntries(contextOf(['card'], change).context).map(({ refusal }) => refusal));
  expect(reasons({ seat: null })).toEqual(new Set(['Take a seat to play; observers only watch.']));
  const ended = { ...VIEW.table, ended: true };
  expect(reasons({ table: ended })).toEqual(new Set(['The game has ended.']));
});

test('the menu of a card has the piles and areas it can be put on', () => {
  const labels = menuEntries(contextOf(['card']).context).map(({ label }) => label);
  for (const label of ['Put on stack', 'Put under stack', 'Put into zone']) expect(labels).toContain(label);
});

test('a drag from the middle of a pile takes its top card, from its rim or with Shift the pile', () => {
  const deck = at('deck');
  expect(draggedFrom(VIEW, deck, [deck.x, deck.y], [], false)).toEqual(['top']);
  expect(draggedFrom(VIEW, deck, [deck.x + deck.w * 0.45, deck.y], [], false)).toEqual(['deck']);
  expect(draggedFrom(VIEW, deck, [deck.x, deck.y], [], true)).toEqual(['deck']);
  expect(draggedFrom(VIEW, deck, [deck.x, deck.y], ['deck'], false)).toEqual(['top']);
  expect(draggedFrom(VIEW, deck, [deck.x, deck.y], ['deck', 'card'], false)).toEqual(['deck', 'card']);
});

test('pieces go to the pile or area under them, boards and notes to none, piles to areas alone', () => {
  const over = (dragged: string, target: string) =>
    targetAt(VIEW, PLACED, [dragged], at(target).x, at(target).y)?.handle;
  expect(over('card', 'discard')).toBe('discard');
  expect(over('card', 'area')).toBe('area');
  expect(over('board', 'discard')).toBeUndefined();
  expect(over('deck', 'discard')).toBeUndefined();
  expect(over('deck', 'area')).toBe('area');
  expect(over('card', 'die')).toBeUndefined();
  expect(dropAct(VIEW, ['top'], at('deck'), { x: 0, y: 0 })).toBeUndefined();
  expect(dropAct(VIEW, ['card'], at('area'), { x: 2_100, y: -50 })).toEqual({
    verb: 'drop',
    pieces: ['card'],
    into: 'area',
    xy: [100, -50],
  });
});

test('boards, areas and what is locked lie under the game until they are selected', () => {
  expect(isGround(at('board'), [], 'board')).toBe(true);
  expect(isGround(at('board'), ['board'], 'board')).toBe(false);
  const locked = { ...at('card'), shown: { ...at('card').shown, locked: true } };
  expect(isGround(locked, ['card'], 'card')).toBe(true);
});

/** A control on a screen of 800 by 600, and everything that it does. */
function controlled(world = { view: VIEW, placed: PLACED }) {
  const acts: Act[] = [];
  let selected: readonly string[] = [];
  const host: ControlHost = {
    view: () => world.view,
    placed: () => world.placed,
    selected: () => selected,
    mayMove: () => true,
    select: (handles) => {
      selected = handles;
    },
    act: async (act) => void acts.push(act),
    point: () => undefined,
    changed: () => undefined,
    dropOutside: () => false,
    box: () => ({ left: 0, top: 0, width: 800, height: 600 }),
  };
  const control = new TableControl(host);
  control.camera = { x: 0, y: 0, scale: 0.1 };
  const pointer = (x: number, y: number, more: object = {}) => ({
    clientX: x,
    clientY: y,
    pointerId: 1,
    pointerType: 'mouse',
    button: 0,
    shiftKey: false,
    ...more,
  });
  const drag = (from: readonly [number, number], to: readonly [number, number], more: object = {}) => {
    control.down(pointer(...from, more));
    control.move(pointer(from[0] + 10, from[1], more));
    control.move(pointer(...to, more));
    control.up(pointer(...to, more));
  };
  return { control, acts, drag, pointer, selected: () => selected };
}

test('a card is dragged to where it is let go, and the view that foresees it takes over', () => {
  const { control, acts, drag, selected } = controlled();
  // The card lies at (0, 1500): 150 pixels below the middle.
  drag([400, 450], [500, 400]);
  expect(selected()).toEqual(['card']);
  expect(acts).toEqual([{ verb: 'move', pieces: ['card'], to: { surface: 0, x: 1_000, y: 1_000 } }]);
  expect(control.drag).toBeUndefined();
});

test('the top of a pile stays where it is let go until the server answers', async () => {
  const { control, acts, drag } = controlled();
  drag([200, 300], [300, 100]);
  expect(acts).toEqual([{ verb: 'move', pieces: ['top'], to: { surface: 0, x: -1_000, y: -2_000 } }]);
  expect(control.drag?.dx).toBe(1_000);
  await Promise.resolve();
  await Promise.resolve();
  expect(control.drag).toBeUndefined();
});

test('a drag on the felt selects with a mouse and pans with a finger; a board lies under it', () => {
  const { control, acts, drag, selected } = controlled();
  drag([380, 300], [620, 560]);
  expect([...selected()].sort()).toEqual(['card', 'die']);
  drag([400, 300], [500, 300], { pointerType: 'touch' });
  expect(control.camera.x).toBeLessThan(0);
  expect(acts).toEqual([]);
});

test('two fingers zoom where they are', () => {
  const { control, pointer } = controlled();
  control.down(pointer(300, 300, { pointerType: 'touch', pointerId: 1 }));
  control.down(pointer(500, 300, { pointerType: 'touch', pointerId: 2 }));
  control.move(pointer(600, 300, { pointerType: 'touch', pointerId: 2 }));
  expect(control.camera.scale).toBeCloseTo(0.15);
});

test('a card is played where nothing lies', () => {
  const { control } = controlled();
  const { x, y } = control.freeSpot(600, 900);
  for (const one of PLACED) {
    if (one.shown.kind === 'board' || one.shown.container?.kind === 'zone') continue;
    expect(Math.abs(one.x - x) >= (one.w + 600) / 2 || Math.abs(one.y - y) >= (one.h + 900) / 2).toBe(true);
  }
});

/** View of a table with a board of 10 cm whose one space is near its bottom right corner. */
const harbour = (): ZoneOf<'space'> => ({
  ...newZone('space', 's', 'Harbour', { x: 60, y: 60, w: 30, h: 30 }),
  role: 'spot',
});

function withHarbour(zones: readonly ZoneOf<'space'>[] = [harbour()]): Partial<TableView> {
  const layout = newLayout('Board', { preset: 'custom', w: 100, h: 100, shape: 'rect', radius: 0 });
  layout.zones = [...zones];
  const side = { name: 'Board', layout: 0, table: 0, cells: {} };
  const size = layout.size;
  return {
    pieces: new Map(VIEW.pieces).set('board', card({ kind: 'board', z: 0, face: 99, back: 99 })),
    faces: new Map(VIEW.faces).set(99, { name: 'Board', sides: [side] }),
    backs: new Map(VIEW.backs).set(99, { name: 'Board', size }),
    common: { layouts: [layout], tables: [[]], pictures: [] },
  };
}

test('a piece that is let go on a space of a board comes to rest in its middle, with Alt where it is', async () => {
  const view: TableView = { ...VIEW, ...withHarbour() };
  const placed = arranged(view);
  const { drag, acts, control, pointer } = controlled({ view, placed });
  control.down(pointer(400, 450));
  control.move(pointer(410, 440));
  control.move(pointer(422, 324));
  expect(control.space?.name).toBe('Harbour');
  control.up(pointer(422, 324));
  await Promise.resolve();
  drag([400, 450], [422, 324], { altKey: true });
  expect(acts.map((act) => 'to' in act && act.to)).toEqual([
    { surface: 0, x: 250, y: 250 },
    { surface: 0, x: 220, y: 240 },
  ]);
});

test('Ctrl and an arrow take a piece to the next space of a board', () => {
  const { context, acts } = contextOf(['card'], withHarbour());
  const up = COMMANDS.find(({ keys }) => keys?.includes('Ctrl+ArrowUp'));
  expect(up?.refusal(context)).toBeUndefined();
  up?.run(context);
  expect(acts).toMatchObject([{ verb: 'move', pieces: ['card'] }]);
  const down = COMMANDS.find(({ keys }) => keys?.includes('Ctrl+ArrowDown'));
  expect(down?.refusal(context)).toBe('No board has a space for it in that direction.');
});

test('a key takes a piece along a track, and a card straight into a slot', () => {
  const slot = { ...newZone('space', 't', 'Market', { x: 0, y: 60, w: 30, h: 30 }), order: 2, rotation: 90 };
  const table: Partial<TableView> & { pieces?: TableView['pieces'] } = withHarbour([
    { ...harbour(), order: 1 },
    slot,
  ]);
  table.pieces = new Map(table.pieces).set('card', card({ x: 250, y: 250, face: 0, facing: 'up' }));
  const { context, acts } = contextOf(['card'], table);
  expect(keyOf('k')?.refusal(context)).toContain('order of play');
  keyOf('j')?.run(context);
  expect(acts).toEqual([{ verb: 'move', pieces: ['card'], to: { surface: 0, x: -350, y: 250 }, turn: 90 }]);
});

test('who plays several seats looks from one after the other, and back', () => {
  const [next, before] = [keyOf(']'), keyOf('[')];
  const from = (seat: number) => contextOf([], { seat }, [0, 2, 3]);
  const looks = [0, 2, 3].map((seat) => {
    const { context, looks: seen } = from(seat);
    for (const one of [next, before]) one?.run(context);
    return seen;
  });
  expect(looks).toEqual([
    [2, 3],
    [3, 0],
    [0, 2],
  ]);
  expect(next?.refusal(contextOf([]).context)).toContain('one seat');
});

test('what lies on a board is listed with its space, and what lies side by side in its order', () => {
  const table = withHarbour();
  const pieces = new Map(table.pieces)
    .set('card', card({ x: 240, y: 260, face: 0, facing: 'up' }))
    .set('held 2', inside('hand', 1, { face: 1, facing: 'up' }));
  const rows = rowsOf({ ...VIEW, ...table, pieces }, new Set());
  expect(rows.find(({ id }) => id === 'card')?.state).toBe('in Harbour');
  expect(rows.find(({ id }) => id === 'die')?.state).toBe('');
  expect(rows.flatMap(({ id }) => (id.startsWith('held') ? [id] : []))).toEqual(['held', 'held 2']);
});

test('the log names the space that a card from a pile is played to', () => {
  const table = withHarbour();
  const pieces = new Map(table.pieces).set('card', card({ x: 250, y: 250, face: 0, facing: 'up' }));
  const view = { ...VIEW, ...table, pieces };
  const say = [{ say: 'moved', pieces: [{ handle: 'card' }], from: 'deck' }] as const;
  expect(linesOf({ n: 1, by: 0, verb: 'move', say }, view, view)[0]?.text).toMatch(/ from stack to Harbour$/);
});

test('cards of a hand come to rest in spaces, piles and areas as those of the table do', () => {
  const view: TableView = { ...VIEW, ...withHarbour() };
  const { control } = controlled({ view, placed: arranged(view) });
  expect(control.dropping(['held'], 423, 324)).toMatchObject({ verb: 'move', to: { x: 250, y: 250 } });
  expect(control.dropping(['held'], 300, 300)).toMatchObject({ verb: 'drop', into: 'discard' });
  expect(control.dropping(['held'], 610, 310)).toMatchObject({ verb: 'drop', into: 'area', xy: [100, 100] });
});

test('Escape and other buttons give a drag up', () => {
  const { control, acts, pointer } = controlled();
  expect(control.abort()).toBe(false);
  control.down(pointer(400, 450));
  control.move(pointer(440, 450));
  expect(control.drag).toBeDefined();
  expect(control.abort()).toBe(true);
  expect(control.drag).toBeUndefined();
  control.move(pointer(500, 400));
  control.up(pointer(500, 400));
  expect(acts).toEqual([]);
});

test('others’ drags are shown: a card, the top of a pile from its middle, the pile from its rim', () => {
  const drag = [100, -50, 0] as const;
  const by = (x: number, y: number) => draggedBy(VIEW, PLACED, [1, x + 100, y - 50, drag])?.handles;
  expect(by(0, 1_500)).toEqual(new Set(['card']));
  expect(by(-2_000, 0)).toEqual(new Set(['top']));
  expect(by(-2_290, 0)).toEqual(new Set(['deck']));
  expect(by(0, 0)).toBeUndefined();
  expect(draggedBy(VIEW, PLACED, [1, 0, 1_500])).toBeUndefined();
});

test.each([
  ['deck', 'draw'],
  ['die', 'roll'],
  ['card', 'flip'],
  ['area', undefined],
  ['board', undefined],
  ['hand', undefined],
])('a double click on %s: %s', (handle, id) => {
  expect(doubleOf(PIECES[handle] ?? card({}))?.id).toBe(id);
});

test('a double click opens a note', () => {
  expect(doubleOf(card({ kind: 'note', text: 'Odd rounds' }))?.id).toBe('note');
});

test('what one drags stays under the pointer while somebody else moves it', () => {
  const world = { view: VIEW, placed: PLACED };
  const { control, pointer } = controlled(world);
  control.down(pointer(400, 450));
  control.move(pointer(440, 450));
  expect(control.paintedDrag).toMatchObject({ dx: 400, dy: 0 });
  const pieces = new Map(VIEW.pieces).set('card', card({ x: 700, y: 1_000, face: 0, facing: 'up' }));
  Object.assign(world, { view: { ...VIEW, pieces }, placed: arranged({ ...VIEW, pieces }) });
  expect(control.paintedDrag).toMatchObject({ dx: -300, dy: 500 });
});
