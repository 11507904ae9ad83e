import { useReducer, useRef } from 'react';
import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../../data/table/sync/table-state.ts';
import { showUnsavedText } from '../saving/show-unsaved-text.ts';
import type { useCardActions } from '../use-card-actions.ts';
import { splitEdits, type TableWords } from './table-words.ts';

type CardActions = ReturnType<typeof useCardActions>;

/** Most translations whose place among the table's changes is known; a writer takes no more back. */
const MAX_MARKS = 100;

/** A translation, and the table's last change when it was made: a later one is taken back first. */
interface Mark {
  readonly history: object;
  readonly after: CardTable['lastStep'];
}

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
  const made = useRef<readonly Mark[]>([]);
  /** Translations that are being taken back. */
  const going = useRef<ReadonlySet<Mark>>(new Set());
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  /** The last translation, if nothing was done in the table after it. */
  const lastMark = (): Mark | undefined => {
    const last = made.current.findLast((mark) => mark.history === words?.history && !going.current.has(mark));
    return words?.undoes !== undefined && last?.after === table.lastStep ? last : undefined;
  };
  const forget = (mark: Mark | undefined) => {
    made.current = made.current.filter((one) => one !== mark);
  };
  const cards: CardActions = {
    ...own,
    edit: (label, edits) => {
      const split = splitEdits(edits);
      const { readOnly } = table.snapshot();
      // Somebody may have lost the right to write in the middle of a cell.
      const refused = [...(readOnly ? split.cells : []), ...(words?.mayWrite ? [] : split.words)];
      if (refused.length > 0) showUnsavedText(refused);
      const done = split.cells.length > 0 && !readOnly ? own.edit(label, split.cells) : 0;
      if (split.words.length === 0 || !words?.mayWrite) return done;
      const mark: Mark = { history: words.history, after: table.lastStep };
      made.current = [...made.current, mark].slice(-MAX_MARKS);
      void words.write(label, split.words).then((stored) => {
        if (!stored) forget(mark);
      });
      return done + split.words.length;
    },
  };
  return {
    cards,
    undoes: lastMark() ? words?.undoes : state.readOnly ? undefined : state.undo,
    undoWords: () => {
      const last = lastMark();
      if (!words || !last) return false;
      going.current = new Set([...going.current, last]);
      void words.undo().then((undone) => {
        going.current = new Set([...going.current].filter((mark) => mark !== last));
        if (undone) forget(last);
        redraw();
      });
      return true;
    },
  };
}
