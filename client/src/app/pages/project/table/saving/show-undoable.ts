import type { CardTable } from '../../../../../data/table/sync/card-table.ts';
import { type ToastOptions, toasts } from '../../../../../ui/toasts/engine.ts';

/** Says how many places an undo or redo left alone. */
export function tellReplayed(replayed: ReturnType<CardTable['undo']>): void {
  if (!replayed || replayed.skipped === 0) return;
  toasts.show(
    `${replayed.skipped} ${replayed.skipped === 1 ? 'place was' : 'places were'} left alone: somebody has changed ${replayed.skipped === 1 ? 'it' : 'them'} since.`,
    { autoCloseTime: 5_000 },
  );
}

/**
 * Says what the last step did and offers to undo that step, whatever was done after it. The message goes when the
 * step is undone otherwise, and with the table.
 *
 * @param action what is undone, in a word for the button: `import`
 */
export function showUndoable(
  table: CardTable,
  message: string,
  action: string,
  options: Omit<ToastOptions, 'actions'>,
): void {
  const step = table.lastStep;
  if (!step) return;
  const undo = () => {
    stop();
    tellReplayed(table.undo(step));
  };
  const id = toasts.show(message, {
    ...options,
    actions: [{ buttonText: `Undo ${action}`, function: undo }],
  });
  const stop = table.subscribe(() => {
    const shown = toasts.snapshot().some((toast) => toast.id === id);
    if (shown && table.canUndo(step)) return;
    stop();
    toasts.close(id);
  });
}
