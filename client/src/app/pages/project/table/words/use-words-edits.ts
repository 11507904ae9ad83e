import { useRef } from 'react';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import { showUnsavedText } from '../saving/show-unsaved-text.ts';
import type { useCardActions } from '../use-card-actions.ts';
import { splitEdits, type TableWords } from './table-words.ts';

type CardActions = ReturnType<typeof useCardActions>;

/**
 * Actions on cards whose edits of words in a language become translations. Undo takes back what was done last: a
 * translation, or a change of the table.
 */
export function useWordsEdits(
  own: CardActions,
  table: CardTable,
  state: TableState,
  words: TableWords | undefined,
): {
  readonly cards: CardActions;
  /** The last change that can be taken back, in words. */
  readonly undoes: string | undefined;
  /** Takes a translation back if that was the last change; false otherwise. */
  readonly undoWords: () => boolean;
} {
  // The table's last change when the last translation was made: a later one is taken back first.
  const made = useRef<{ readonly after: CardTable['lastStep'] }>(undefined);
  const isLast = words?.undoes !== undefined && made.current?.after === table.lastStep;
  const cards: CardActions = {
    ...own,
    edit: (label, edits) => {
      if (table.snapshot().readOnly) {
        showUnsavedText(edits);
        return 0;
      }
      const split = splitEdits(edits);
      const done = split.cells.length > 0 ? own.edit(label, split.cells) : 0;
      if (split.words.length > 0 && words) {
        words.write(label, split.words);
        made.current = { after: table.lastStep };
      }
      return done + split.words.length;
    },
  };
  return {
    cards,
    undoes: isLast ? words?.undoes : state.undo,
    undoWords: () => {
      if (!words || !isLast) return false;
      words.undo();
      return true;
    },
  };
}
