import type * as ui from '../../../../ui/commands/command.ts';
import type { EditorModel } from '../state/editor-store.ts';
import type { ViewControl } from '../state/view-control.ts';
import { findZone } from '../state/zones/zones.ts';

/** Input of a command. */
export interface CommandContext {
  readonly model: EditorModel;
  readonly save: () => void;
  /** The canvas: zoom and which card is shown. Left out where there is none. */
  readonly view?: ViewControl;
}

export type CommandGroup = 'Document' | 'Add' | 'Edit' | 'Order' | 'Arrange' | 'Move' | 'Map' | 'View';

/** One thing the editor can do. */
export type Command = ui.Command<CommandContext, CommandGroup>;

export const hasSelection = ({ model }: CommandContext): boolean => model.state.selection.length > 0;
/** True unless one language is shown: what lies in what is one for all languages, and a place may be the language's own. */
export const inAllLanguages = (model: EditorModel): boolean => model.state.language === null;
export const hasSeveral = ({ model }: CommandContext): boolean => model.state.selection.length > 1;

/** Ids of the selected zones that are not locked. */
export function freeIds({ model }: CommandContext): string[] {
  const { scene, selection } = model.state;
  return selection.filter((id) => findZone(scene, id)?.locked === false);
}
export const hasFree = (context: CommandContext): boolean => freeIds(context).length > 0;
