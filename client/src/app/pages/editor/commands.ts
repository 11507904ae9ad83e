import { ADD_COMMANDS } from './commands/add.ts';
import { ARRANGE_COMMANDS } from './commands/arrange.ts';
import { BOARD_COMMANDS } from './commands/board.ts';
import type { Command } from './commands/command.ts';
import { EDIT_COMMANDS } from './commands/edit.ts';
import { VIEW_COMMANDS } from './commands/view.ts';

export type { Command, CommandContext, CommandGroup } from './commands/command.ts';

/** Everything the editor can do: buttons, shortcuts, the palette and the guide all read this list. */
export const COMMANDS: readonly Command[] = [
  ...EDIT_COMMANDS,
  ...ADD_COMMANDS,
  ...ARRANGE_COMMANDS,
  ...BOARD_COMMANDS,
  ...VIEW_COMMANDS,
];
