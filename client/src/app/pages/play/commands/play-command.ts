import type { Shown } from '../../../../core/play/protocol/messages.ts';
import type { Command } from '../../../../ui/commands/command.ts';
import { type PlayContext, targetsOf } from './play-context.ts';

export type PlayGroup = 'Pieces' | 'Piles' | 'Hand' | 'Table' | 'View';

/** A command of the table. `refusal` says why it cannot run now; menus show the reason. */
export interface PlayCommand extends Command<PlayContext, PlayGroup> {
  readonly refusal: (context: PlayContext) => string | undefined;
}

/** Why something cannot be done now, in a sentence; undefined where it can. */
export type Reason = (context: PlayContext) => string | undefined;

/** A command that runs where nothing speaks against it. */
export function command(
  id: string,
  group: PlayGroup,
  label: string,
  keys: readonly string[],
  refusal: Reason,
  run: (context: PlayContext) => void,
  more: Partial<PlayCommand> = {},
): PlayCommand {
  return {
    id,
    group,
    label,
    ...(keys.length > 0 && { keys }),
    refusal,
    when: (context) => refusal(context) === undefined,
    run,
    ...more,
  };
}

/** The first reason that holds. */
export const first =
  (...reasons: Reason[]): Reason =>
  (context) => {
    for (const reason of reasons) {
      const said = reason(context);
      if (said) return said;
    }
    return undefined;
  };

/** The sentence where not all targets fit. */
export const every =
  (fits: (shown: Shown) => boolean, otherwise: string): Reason =>
  (context) =>
    targetsOf(context).every(([, shown]) => fits(shown)) ? undefined : otherwise;
