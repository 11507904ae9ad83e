import type { ReactNode } from 'react';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import type { Command, CommandContext } from '../commands.ts';
import css from './panels.module.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
/** A shortcut as this machine's keyboard calls it. */
export const shownKeys = (keys: string): string =>
  isMac ? keys.replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥') : keys;

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
  const [keys] = command.keys ?? [];
  return (
    <Tooltip label={keys ? `${command.label} (${shownKeys(keys)})` : command.label}>
      <button
        type="button"
        className={css.tool}
        aria-label={command.label}
        disabled={command.when?.(context) === false}
        onClick={() => command.run(context)}
      >
        {children}
      </button>
    </Tooltip>
  );
}
