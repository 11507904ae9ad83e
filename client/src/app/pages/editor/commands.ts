import { ADD_COMMANDS } from './commands/add.ts';
import { ARRANGE_COMMANDS } from './commands/arrange.ts';
import type { Command, CommandContext } from './commands/command.ts';
import { EDIT_COMMANDS } from './commands/edit.ts';
import { VIEW_COMMANDS } from './commands/view.ts';

export type { Command, CommandContext, CommandGroup } from './commands/command.ts';

/** Everything the editor can do: buttons, shortcuts, the palette and the guide all read this list. */
export const COMMANDS: readonly Command[] = [
  ...EDIT_COMMANDS,
  ...ADD_COMMANDS,
  ...ARRANGE_COMMANDS,
  ...VIEW_COMMANDS,
];

/** The pressed keys as commands spell them. */
export function spell(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> & {
    readonly code?: string;
  },
): string {
  // With Alt a Mac types signs of its own: the key's place tells the letter.
  const letter = event.altKey ? /^Key([A-Z])$/.exec(event.code ?? '')?.[1] : undefined;
  const key = letter ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  return [
    event.ctrlKey || event.metaKey ? 'Ctrl+' : '',
    event.altKey ? 'Alt+' : '',
    event.shiftKey ? 'Shift+' : '',
    key,
  ].join('');
}

/** Signs that need Shift on some keyboards: found with it and without it. */
const SHIFTED: Readonly<Record<string, string>> = {
  'Ctrl+Shift+}': 'Ctrl+Shift+]',
  'Ctrl+Shift+{': 'Ctrl+Shift+[',
};

/** The command of the pressed keys. */
export function commandOf(event: Parameters<typeof spell>[0]): Command | undefined {
  const spelled = spell(event);
  const wanted = SHIFTED[spelled] ?? spelled;
  return COMMANDS.find((one) => one.keys?.includes(wanted));
}

/** Runs the command of the pressed keys; false when there is none. */
export function runShortcut(event: KeyboardEvent, context: CommandContext): boolean {
  const command = commandOf(event);
  if (!command || command.when?.(context) === false) return false;
  command.run(context);
  return true;
}
