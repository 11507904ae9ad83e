import type { ReactNode } from 'react';
import { type Command, canRun } from '../commands/command.ts';
import { withKeys } from '../commands/keys.ts';
import { Tooltip } from '../tooltip.tsx';
import css from './toolbar.module.css';

/** A button for a command: its label, its shortcut and whether it can run come from the command. */
export function ToolButton<Context>({
  command,
  context,
  pressed,
  tip = withKeys(command.label, command),
  children,
}: {
  command: Command<Context>;
  /** Object of the command; undefined while there is none yet. */
  context: Context | undefined;
  pressed?: boolean;
  /** Words shown when the pointer rests on it: the label and its shortcut if missing. */
  tip?: string;
  children: ReactNode;
}) {
  return (
    <Tooltip label={tip}>
      <button
        type="button"
        className={css.tool}
        aria-label={command.label}
        aria-pressed={pressed}
        disabled={context === undefined || !canRun(command, context)}
        onClick={() => context !== undefined && command.run(context)}
      >
        {children}
      </button>
    </Tooltip>
  );
}
