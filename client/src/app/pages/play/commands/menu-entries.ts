import type { Handle } from '../../../../core/play/protocol/messages.ts';
import { pieceName, seatName } from '../../../../core/play/view/names.ts';
import type { ContextMenuItem } from '../../../../ui/menu/context-menu.tsx';
import { COMMANDS, isPiece, KEYS_ALONE } from './commands.ts';
import { every, first, type PlayGroup } from './play-command.ts';
import { containerOf, otherSeats, type PlayContext, touchReason } from './play-context.ts';

/** Groups of the menu: for a pile, what piles are for comes first. */
const GROUPS: readonly PlayGroup[] = ['Pieces', 'Piles', 'Hand'];
const GROUPS_OF_PILES: readonly PlayGroup[] = ['Piles', 'Pieces', 'Hand'];

/** Everything that can be done with the selection; what cannot be done now is there with its reason. */
export function menuEntries(context: PlayContext): readonly ContextMenuItem[] {
  const groups = containerOf(context) ? GROUPS_OF_PILES : GROUPS;
  const own = groups.flatMap((group, place) =>
    COMMANDS.filter(({ id, group: of }) => of === group && !KEYS_ALONE.has(id)).map(
      ({ id, label, keys, refusal, danger, run }, index): ContextMenuItem => ({
        id,
        label,
        ...(keys?.[0] && { keys: keys[0] }),
        refusal: refusal(context),
        ...(danger && { danger }),
        divided: place > 0 && index === 0,
        onSelect: () => run(context),
      }),
    ),
  );
  return [...own, ...placeEntries(context)];
}

/** Entries that depend on the table's parts: piles and areas to put something on, seats to give it to. */
function placeEntries(context: PlayContext): ContextMenuItem[] {
  const { view, targets } = context;
  const refusal = touchReason(context);
  const movable = first(touchReason, every(isPiece, 'Piles lie on the table and in areas.'));
  const piles = [...view.pieces].filter(
    ([handle, { container }]) =>
      container !== undefined &&
      container.kind !== 'hand' &&
      container.kind !== 'tray' &&
      !targets.includes(handle),
  );
  const put = (into: Handle, at?: number) => () =>
    void context.act({ verb: 'drop', pieces: targets, into, ...(at !== undefined && { at }) });
  const entries = piles.flatMap(([handle, { container }]): ContextMenuItem[] => {
    const name = pieceName(view, handle);
    const area = container?.kind === 'zone';
    const own: ContextMenuItem = {
      id: `into ${handle}`,
      label: area || container?.kind === 'bag' ? `Put into ${name}` : `Put on ${name}`,
      refusal: area ? refusal : movable(context),
      onSelect: put(handle),
    };
    if (container?.kind !== 'stack') return [own];
    return [own, { ...own, id: `under ${handle}`, label: `Put under ${name}`, onSelect: put(handle, 0) }];
  });
  const seats = otherSeats(context).map(
    (seat): ContextMenuItem => ({
      id: `give ${seat}`,
      label: `Give to ${seatName(view, seat)}`,
      refusal: movable(context),
      onSelect: () => void context.act({ verb: 'give', pieces: targets, to: seat }),
    }),
  );
  return [...seats, ...entries].map((entry, index) => ({ ...entry, divided: index === 0 }));
}
