import type { Shown } from '../../../../core/play/protocol/messages.ts';
import { sizeOf } from '../../../../core/play/view/arrange.ts';
import { nudge, stepInOrder } from './nudge.ts';
import { command, every, first, type PlayCommand, type Reason } from './play-command.ts';
import {
  containerOf,
  idleReason,
  leads,
  mayEdit,
  ownHand,
  type PlayContext,
  targetsOf,
  touchReason,
} from './play-context.ts';

const isPile = ({ container }: Shown) => container?.kind === 'stack' || container?.kind === 'bag';
export const isPiece = ({ container }: Shown) => container === undefined;

const pile =
  (otherwise: string): Reason =>
  (context) => {
    const idle = idleReason(context);
    if (idle) return idle;
    const found = containerOf(context);
    if (!found || !isPile(found[1])) return otherwise;
    return found[1].container?.count === 0 ? 'Nothing is left there.' : undefined;
  };

const handNeeded: Reason = (context) =>
  ownHand(context) === undefined ? 'Your seat has no hand at this table.' : undefined;

/** Does an act with the targets. */
const withTargets =
  (verb: string, fields: object = {}) =>
  (context: PlayContext) =>
    void context.act({ verb, pieces: context.targets, ...fields });

/** Does an act with the pile that is meant. */
const withPile =
  (verb: string, fields: object = {}) =>
  (context: PlayContext) => {
    const found = containerOf(context);
    if (found) void context.act({ verb, into: found[0], ...fields });
  };

const DRAW_PILE = 'Select a pile to draw from.';
const drawReason = first(pile(DRAW_PILE), handNeeded);

/** Angle of one turn: hexagons have six sides. */
function stepOf(context: PlayContext): number {
  const [found] = targetsOf(context);
  const back = found?.[1].back === undefined ? undefined : context.view.backs.get(found[1].back);
  return back?.size.shape.startsWith('hex') ? 60 : 90;
}

const turnBy = (sign: 1 | -1) => (context: PlayContext) =>
  void context.act({ verb: 'turn', pieces: context.targets, by: sign * stepOf(context) });

const rollReason: Reason = (context) => {
  const idle = idleReason(context);
  if (idle) return idle;
  const found = targetsOf(context);
  if (found.length === 0) return 'Select dice, a pile, or pieces to mix.';
  if (found.every(([, { kind }]) => kind === 'die')) return touchReason(context);
  const container = containerOf(context)?.[1].container;
  if (container) {
    if (container.kind === 'hand' && container.owner !== context.view.seat)
      return 'That belongs to another seat.';
    return container.count === 0 ? 'Nothing is left there.' : undefined;
  }
  return found.length < 2 ? 'A shuffle needs a pile, or two pieces.' : touchReason(context);
};

const rollOrShuffle = (context: PlayContext) => {
  const found = targetsOf(context);
  if (found.every(([, { kind }]) => kind === 'die')) withTargets('roll')(context);
  else if (containerOf(context)) withPile('shuffle')(context);
  else withTargets('shuffle')(context);
};

/** Plays pieces to the table where there is room. */
export function play(context: PlayContext, face?: 'down'): void {
  const found = targetsOf(context);
  const [lead] = found;
  if (!lead) return;
  const [w, h] = sizeOf(context.view, lead[1]);
  const { x, y } = context.eye.freeSpot(w, h);
  void context.act({
    verb: 'move',
    pieces: context.targets,
    to: { surface: 0, x: Math.round(x), y: Math.round(y) },
    ...(face && { face }),
  });
}

const inContainer: Reason = (context) =>
  targetsOf(context).every(([, { holder }]) => holder !== undefined)
    ? undefined
    : 'It lies on the table already.';

const DRAWS = Array.from({ length: 9 }, (_, index): PlayCommand => {
  const count = index + 1;
  return command(
    `draw-${count}`,
    'Piles',
    `Draw ${count}`,
    [String(count)],
    drawReason,
    withPile('draw', { count }),
  );
});

export const FLIP = command(
  'flip',
  'Pieces',
  'Turn over',
  ['F'],
  first(
    touchReason,
    every(
      ({ container }) => !container || container.kind === 'stack',
      'Only piles and pieces have two sides.',
    ),
    every(({ container }) => container?.count !== 0, 'Nothing is left there.'),
  ),
  withTargets('flip'),
);

export const ROLL = command('roll', 'Pieces', 'Shuffle or roll', ['R'], rollReason, rollOrShuffle);
export const DRAW = command('draw', 'Piles', 'Draw', ['D'], drawReason, withPile('draw', { count: 1 }));
export const UNDO = command(
  'undo',
  'Table',
  'Take back my last act',
  ['Ctrl+Z'],
  first(idleReason, ({ undo }) => (undo === undefined ? 'You have done nothing here yet.' : undefined)),
  ({ undo }) => undo?.(),
);
export const PASS = command(
  'pass',
  'Table',
  'Pass the turn',
  ['T'],
  first(idleReason, turnReason),
  ({ act }) => void act({ verb: 'pass' }),
);
export const SET_UP = command(
  'set-up',
  'Table',
  'Set up anew',
  [],
  first(idleReason, (context) => {
    if (!leads(context)) return 'Only hosts start again.';
    return context.view.table.has_setup ? undefined : 'This table has no set-up.';
  }),
  ({ ask }) => ask({ ask: 'set-up' }),
);
export const EDIT_SET_UP = command(
  'edit-set-up',
  'Table',
  'Steps of the set-up',
  ['Shift+S'],
  first(idleReason, (context) => (mayEdit(context) ? undefined : 'Only hosts change the set-up.')),
  ({ ask }) => ask({ ask: 'edit-set-up' }),
);
export const PLACES = command(
  'places',
  'Table',
  'Who sees what',
  ['W'],
  () => undefined,
  ({ ask }) => ask({ ask: 'places' }),
);
export const END = command(
  'end',
  'Table',
  'End the game',
  [],
  first(idleReason, (context) => (leads(context) ? undefined : 'Only hosts end the game.')),
  ({ ask }) => ask({ ask: 'end' }),
);
const always: Reason = () => undefined;
export const ZOOM_IN = command('zoom-in', 'View', 'Zoom in', ['+', 'Shift++', '='], always, ({ eye }) =>
  eye.zoom(1.25),
);
export const ZOOM_OUT = command('zoom-out', 'View', 'Zoom out', ['-'], always, ({ eye }) => eye.zoom(0.8));
export const FIT = command('fit', 'View', 'Show the whole table', ['0'], always, ({ eye }) => eye.fit());
export const SHORTCUTS = command(
  'shortcuts',
  'View',
  'Keyboard shortcuts',
  ['?', 'Shift+?'],
  always,
  ({ ask }) => ask({ ask: 'shortcuts' }),
);

function turnReason({ view: { table, seat } }: PlayContext): string | undefined {
  const { turn } = table.clock;
  const role = seat === null ? undefined : table.seats[String(seat)]?.role;
  return turn !== null && turn !== seat && role === 'player' ? 'It is another seat’s turn.' : undefined;
}

const PIECES: readonly PlayCommand[] = [
  FLIP,
  command('turn-right', 'Pieces', 'Turn right', ['E'], touchReason, turnBy(1)),
  command('turn-left', 'Pieces', 'Turn left', ['Q'], touchReason, turnBy(-1)),
  ROLL,
  command(
    'peek',
    'Pieces',
    'Look at it alone',
    ['V'],
    first(
      idleReason,
      ({ targets }) => (targets.length === 0 ? 'Select a piece first.' : undefined),
      every(
        ({ container }) => !container || container.kind === 'stack',
        'Look at pieces, or the top of a pile.',
      ),
    ),
    (context) => (containerOf(context) ? withPile('peek', { count: 1 }) : withTargets('peek'))(context),
  ),
  command(
    'show',
    'Pieces',
    'Show to everybody',
    [],
    first(
      touchReason,
      every(isPiece, 'Piles cannot be shown.'),
      every(({ face }) => face !== undefined, 'You can show only pieces whose face you see.'),
    ),
    withTargets('show'),
  ),
  command(
    'lock',
    'Pieces',
    'Lock or unlock',
    ['L'],
    first(idleReason, ({ targets }) => (targets.length === 0 ? 'Select a piece first.' : undefined)),
    (context) => {
      const on = !targetsOf(context).every(([, { locked }]) => locked);
      withTargets('lock', { on })(context);
    },
  ),
  command(
    'group',
    'Pieces',
    'Group or ungroup',
    ['Shift+G'],
    first(touchReason, (context) => {
      const found = targetsOf(context);
      return found.length < 2 && found.every(([, { group }]) => group === undefined)
        ? 'Select two pieces first.'
        : undefined;
    }),
    (context) => {
      const groups = new Set(targetsOf(context).map(([, { group }]) => group));
      withTargets('group', { on: groups.size > 1 || groups.has(undefined) })(context);
    },
  ),
  command(
    'value',
    'Pieces',
    'Set a value',
    ['.'],
    first(
      touchReason,
      every(({ kind, container }) => !container && kind !== 'note', 'That has no value.'),
    ),
    ({ ask, targets, view }) =>
      ask({ ask: 'value', pieces: targets, value: view.pieces.get(targets[0] ?? '')?.value ?? 0 }),
  ),
  command(
    'remove',
    'Pieces',
    'Put back into the box',
    ['Delete', 'Backspace'],
    first(
      touchReason,
      (context) =>
        leads(context) || context.view.table.settings.rights.remove
          ? undefined
          : 'Only hosts put pieces back into the box.',
      every(({ container }) => !container || container.count === 0, 'Empty it before you remove it.'),
    ),
    withTargets('remove'),
    { danger: true },
  ),
  ...nudge('Move left', 'ArrowLeft', -1, 0),
  ...nudge('Move right', 'ArrowRight', 1, 0),
  ...nudge('Move up', 'ArrowUp', 0, -1),
  ...nudge('Move down', 'ArrowDown', 0, 1),
  stepInOrder('order-on', 'To the next space in order', ['J'], 1),
  stepInOrder('order-back', 'To the previous space in order', ['K'], -1),
];

const PILES: readonly PlayCommand[] = [
  DRAW,
  ...DRAWS,
  command(
    'deal',
    'Piles',
    'Deal to everybody',
    ['Shift+D'],
    pile('Select a pile to deal from.'),
    (context) => {
      const found = containerOf(context);
      if (found) context.ask({ ask: 'deal', from: found[0], most: found[1].container?.count ?? 99 });
    },
  ),
  command(
    'stack',
    'Piles',
    'Make a pile',
    ['G'],
    first(
      touchReason,
      ({ targets }) => (targets.length < 2 ? 'A pile needs two pieces.' : undefined),
      every(({ kind }) => kind !== 'board' && kind !== 'note', 'Boards and notes cannot be in a pile.'),
    ),
    withTargets('stack'),
  ),
  command(
    'unstack',
    'Piles',
    'Lay out in a row',
    [],
    first(pile('Select a pile.'), touchReason),
    withPile('unstack'),
  ),
  command(
    'cut',
    'Piles',
    'Cut',
    ['C'],
    first(pile('Select a pile.'), (context) =>
      (containerOf(context)?.[1].container?.count ?? 0) < 2 ? 'A cut needs two pieces.' : undefined,
    ),
    withPile('cut'),
  ),
  command(
    'search',
    'Piles',
    'Look through it',
    ['S'],
    first(pile('Select a pile.'), ({ view, ...context }) => {
      const others = containerOf({ view, ...context })?.[1].container?.searched_by ?? [];
      return others.some((seat) => seat !== view.seat) ? 'Somebody looks through it already.' : undefined;
    }),
    (context) => {
      const searching = containerOf(context)?.[1].container?.searched_by ?? [];
      withPile('search', { open: !searching.some((seat) => seat === context.view.seat) })(context);
    },
  ),
];

const HAND: readonly PlayCommand[] = [
  command(
    'to-hand',
    'Hand',
    'To my hand',
    ['H'],
    first(
      touchReason,
      handNeeded,
      every(
        ({ container, kind }) => !container && kind !== 'board' && kind !== 'note' && kind !== 'timer',
        'That does not fit in a hand.',
      ),
    ),
    (context) => {
      const into = ownHand(context);
      if (into) withTargets('drop', { into })(context);
    },
  ),
  command('play', 'Hand', 'Play to the table', ['P'], first(touchReason, inContainer), (context) =>
    play(context),
  ),
  command('play-down', 'Hand', 'Play face down', ['Shift+P'], first(touchReason, inContainer), (context) =>
    play(context, 'down'),
  ),
];

/** Solo, one person sits on several seats. */
const otherSeatReason: Reason = ({ seats, connected }) => {
  if (!connected) return 'There is no connection to the table right now.';
  return seats.length > 1 ? undefined : 'You sit on one seat. The menu of a free seat lets you play it too.';
};

const lookFrom =
  (step: 1 | -1) =>
  ({ seats, view, look }: PlayContext) => {
    const at = view.seat === null ? -1 : seats.indexOf(view.seat);
    const next = seats[(at + step + seats.length) % seats.length];
    if (next !== undefined) look(next);
  };

const NOTE = command('note', 'Table', 'Write a note', ['N'], idleReason, (context) => {
  const [found] = targetsOf(context);
  const note = found?.[1].kind === 'note' ? found : undefined;
  context.ask({ ask: 'note', text: note?.[1].text ?? '', ...(note && { note: note[0] }) });
});

/** The command of a double click. A board lies under the game: nobody means to turn it over who misses a piece. */
export function doubleOf(shown: Shown): PlayCommand | undefined {
  const { kind, container } = shown;
  if (container) return isPile(shown) ? DRAW : undefined;
  if (kind === 'board') return undefined;
  return kind === 'die' ? ROLL : kind === 'note' ? NOTE : FLIP;
}

const TABLE: readonly PlayCommand[] = [
  UNDO,
  PASS,
  NOTE,
  command(
    'feedback',
    'Table',
    'Leave feedback',
    [],
    ({ isSample }) => (isSample ? 'A sample table takes no feedback.' : undefined),
    ({ ask }) => ask({ ask: 'feedback' }),
  ),
  command('remark', 'Table', 'Pin a remark', ['!', 'Shift+!'], idleReason, ({ ask, targets }) =>
    ask({ ask: 'remark', pieces: targets }),
  ),
  command('seat-next', 'Table', 'Look from my next seat', [']'], otherSeatReason, lookFrom(1)),
  command('seat-before', 'Table', 'Look from my previous seat', ['['], otherSeatReason, lookFrom(-1)),
  PLACES,
  SET_UP,
  EDIT_SET_UP,
  END,
];

/** The middle of the selection on the table. */
function spotOf({ placed, targets }: PlayContext): { readonly x: number; readonly y: number } | undefined {
  return placed.find(({ handle }) => targets.includes(handle));
}

const spotReason = (context: PlayContext) =>
  spotOf(context) ? undefined : 'Select something that lies on the table first.';

const VIEW: readonly PlayCommand[] = [
  ZOOM_IN,
  ZOOM_OUT,
  FIT,
  command(
    'ping',
    'View',
    'Show everybody the selection',
    ['Shift+M'],
    first(idleReason, spotReason),
    (context) => {
      const spot = spotOf(context);
      if (spot) context.ping(spot.x, spot.y);
    },
  ),
  command('select-none', 'View', 'Select nothing', ['Escape'], always, ({ select }) => select([])),
  command('menu', 'View', 'Menu of the selection', ['Shift+F10', 'ContextMenu'], always, ({ openMenu }) =>
    openMenu(),
  ),
  SHORTCUTS,
];

/** Everything that can be done at the table. Keys, menus and the sheet of shortcuts are made from it. */
export const COMMANDS: readonly PlayCommand[] = [...PIECES, ...PILES, ...HAND, ...TABLE, ...VIEW];

/** Commands that are keys alone: menus and the sheet of shortcuts leave out what others say together. */
export const KEYS_ALONE = new Set(COMMANDS.filter(({ id }) => /^draw-|^move-/.test(id)).map(({ id }) => id));

/** Commands of the sheet of shortcuts; its notes tell of digits and of arrow keys. */
export const SHEET_COMMANDS = COMMANDS.filter(({ id }) => !KEYS_ALONE.has(id));
