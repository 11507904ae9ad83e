import { type Command, canRun } from './command.ts';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> & {
  readonly code?: string;
};

/** The pressed keys as commands spell them. */
export function spell(event: Pressed): string {
  // With Alt a Mac types signs of its own: the key's place tells the letter or the digit.
  const placed = event.altKey ? /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code ?? '') : null;
  const key = placed?.[1] ?? placed?.[2] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
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

/** The command of the pressed keys, whether or not it can run. */
export function commandOf<C extends Pick<Command<never>, 'keys'>>(
  commands: readonly C[],
  event: Pressed,
): C | undefined {
  const spelled = spell(event);
  const wanted = SHIFTED[spelled] ?? spelled;
  return commands.find((one) => one.keys?.includes(wanted));
}

/** Runs the command of the pressed keys; false when there is none that can run. */
export function runShortcut<Context>(
  commands: readonly Command<Context>[],
  event: Pressed,
  context: Context,
): boolean {
  const command = commandOf(commands, event);
  if (!command || !canRun(command, context)) return false;
  command.run(context);
  return true;
}

/** True if an element takes typed keys. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** A shortcut as this machine's keyboard calls it. */
export function shownKeys(keys: string): string {
  const shown = keys.replace('Arrow', '').replace('ContextMenu', 'Menu');
  return isMac ? shown.replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥') : shown;
}

/** A label with the command's first shortcut, for a button without one of its own. */
export function withKeys(label: string, { keys }: Pick<Command<never>, 'keys'>): string {
  const [first] = keys ?? [];
  return first === undefined ? label : `${label} (${shownKeys(first)})`;
}
