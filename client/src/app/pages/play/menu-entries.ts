import type { Handle } from '../../../core/play/messages.ts';
import { pieceName, seatName } from '../../../core/play/names.ts';
import { COMMANDS, every, first, isPiece, KEYS_ALONE, type PlayGroup } from './commands.ts';
import { containerOf, otherSeats, type PlayContext, touchReason } from './play-context.ts';

/** An entry of the menu of a selection. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly keys?: string;
  readonly refusal: string | undefined;
  readonly danger?: boolean;
  readonly divided?: boolean;
  readonly run: () => void;
}

/** Groups of the menu: for a pile, what piles are for comes first. */
const GROUPS: readonly PlayGroup[] = ['Pieces', 'Piles', 'Hand'];
const GROUPS_OF_PILES: readonly PlayGroup[] = ['Piles', 'Pieces', 'Hand'];

/** Everything that can be done with the selection; what cannot be done now is there with its reason. */
export function menuEntries(context: PlayContext): readonly MenuEntry[] {
  const groups = containerOf(context) ? GROUPS_OF_PILES : GROUPS;
  const own = groups.flatMap((group, place) =>
    COMMANDS.filter(({ id, group: of }) => of === group && !KEYS_ALONE.has(id)).map(
      ({ id, label, keys, refusal, danger, run }, index): MenuEntry => ({
        id,
        label,
        ...(keys?.[0] && { keys: keys[0] }),
        refusal: refusal(context),
        ...(danger && { danger }),
        divided: place > 0 && index === 0,
        run: () => run(context),
      }),
    ),
  );
  return [...own, ...placeEntries(context)];
}

/** Entries that depend on the table's parts: piles and areas to put something on, seats to give it to. */
function placeEntries(context: PlayContext): MenuEntry[] {
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
  const entries = piles.flatMap(([handle, { container }]): MenuEntry[] => {
    const name = pieceName(view, handle);
    const area = container?.kind === 'zone';
    const own: MenuEntry = {
      id: `into ${handle}`,
      label: area || container?.kind === 'bag' ? `Put into ${name}` : `Put on ${name}`,
      refusal: area ? refusal : movable(context),
      run: put(handle),
    };
    if (container?.kind !== 'stack') return [own];
    return [own, { ...own, id: `under ${handle}`, label: `Put under ${name}`, run: put(handle, 0) }];
  });
  const seats = otherSeats(context).map(
    (seat): MenuEntry => ({
      id: `give ${seat}`,
      label: `Give to ${seatName(view, seat)}`,
      refusal: movable(context),
      run: () => void context.act({ verb: 'give', pieces: targets, to: seat }),
    }),
  );
  return [...seats, ...entries].map((entry, index) => ({ ...entry, divided: index === 0 }));
}
