/**
 * One thing that a screen can do. Its buttons, menus, shortcuts, palette and sheet of shortcuts are made from it.
 * `Context` is what it works on.
 */
export interface Command<Context, Group extends string = string> {
  readonly id: string;
  readonly label: string;
  /** Label of a menu that says already what is meant; `label` if left out. */
  readonly menuLabel?: string;
  /** Heading in the sheet of shortcuts. */
  readonly group: Group;
  /** Shortcuts as `Ctrl+Shift+Z`; Ctrl also means Command on a Mac. */
  readonly keys?: readonly string[];
  /** True if it destroys something: menus show it in red. */
  readonly danger?: boolean;
  /** True if the keys work in a field, too. */
  readonly inFields?: boolean;
  /** True if the command can run; always, if left out. */
  readonly when?: (context: Context) => boolean;
  readonly run: (context: Context) => void;
}

export const canRun = <Context>(command: Command<Context>, context: Context): boolean =>
  command.when?.(context) !== false;
