import {
  neighbourInOrder,
  nextSpace,
  restingOf,
  tableSpaces,
} from '../../../../core/play/view/table-spaces.ts';
import { moveTo } from '../gestures/gestures.ts';
import { command, first, type PlayCommand, type Reason } from './play-command.ts';
import { type PlayContext, targetsOf, touchReason } from './play-context.ts';

/** Distance of one press of an arrow key, in tenths of a millimetre. */
const [NUDGE, FINE_NUDGE] = [50, 10];

const onTable: Reason = (context) =>
  targetsOf(context).every(([, { holder }]) => holder === undefined)
    ? undefined
    : 'Only pieces on the table can be moved like this.';

/** A command that moves the targets along a track: to the space that is next in the order of play, or to the one before. */
export function stepInOrder(id: string, label: string, keys: readonly string[], step: 1 | -1): PlayCommand {
  const next = ({ view, placed, targets }: PlayContext) => {
    const at = placed.find(({ handle }) => handle === targets[0]);
    return at && neighbourInOrder(tableSpaces(view, placed), at, step, restingOf(view, placed, targets));
  };
  const hasNext: Reason = (context) =>
    next(context)
      ? undefined
      : 'It is not in a space with another one in that direction of the order of play.';
  return command(id, 'Pieces', label, keys, first(touchReason, onTable, hasNext), (context) => {
    const space = next(context);
    if (space) void context.act(moveTo(context.targets, space));
  });
}

/** Commands that move the targets in a direction: a step, a fine step, and to the next space of a board. */
export function nudge(label: string, arrow: string, dx: number, dy: number): PlayCommand[] {
  const run = (distance: number) => (context: PlayContext) => {
    const lead = targetsOf(context)[0]?.[1];
    const at = context.placed.find(({ handle }) => handle === context.targets[0]);
    if (!lead || !at) return;
    void context.act(moveTo(context.targets, { x: at.x + dx * distance, y: at.y + dy * distance }));
  };
  const next = ({ view, placed, targets }: PlayContext) => {
    const at = placed.find(({ handle }) => handle === targets[0]);
    return at && nextSpace(tableSpaces(view, placed), at, [dx, dy], restingOf(view, placed, targets));
  };
  const hasNext: Reason = (context) =>
    next(context) ? undefined : 'No board has a space for it in that direction.';
  const id = label.toLowerCase().replace(' ', '-');
  return [
    command(id, 'Pieces', label, [`Alt+${arrow}`], first(touchReason, onTable), run(NUDGE)),
    command(
      `${id}-fine`,
      'Pieces',
      `${label}, 1 mm`,
      [`Alt+Shift+${arrow}`],
      first(touchReason, onTable),
      run(FINE_NUDGE),
    ),
    command(
      `${id}-space`,
      'Pieces',
      `${label}, to the next space`,
      [`Ctrl+${arrow}`],
      first(touchReason, onTable, hasNext),
      (context) => {
        const space = next(context);
        if (space) void context.act(moveTo(context.targets, space));
      },
    ),
  ];
}
