import type { ReactNode } from 'react';
import { canRun } from '../../../../ui/commands/command.ts';
import { withKeys } from '../../../../ui/commands/keys.ts';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import type { Command, CommandContext } from '../commands.ts';
import css from './panels.module.css';

/** A button for a command: its label, its shortcut and whether it can run come from the command. */
export function ToolButton({
  command,
  context,
  children,
}: {
  command: Command;
  context: CommandContext;
  children: ReactNode;
}) {
  return (
    <Tooltip label={withKeys(command.label, command)}>
      <button
        type="button"
        className={css.tool}
        aria-label={command.label}
        disabled={!canRun(command, context)}
        onClick={() => command.run(context)}
      >
        {children}
      </button>
    </Tooltip>
  );
}
