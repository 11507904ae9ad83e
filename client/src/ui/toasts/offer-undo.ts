import { type ToastAction, toasts } from './engine.ts';

/** Time for which a change can be taken back by its note, in milliseconds. */
const UNDO_MS = 10_000;

/**
 * Says that something was done, and offers to take it back for a while.
 * @param more further buttons
 * @returns id of the note
 */
export function offerUndo(words: string, undo: () => void, more: readonly ToastAction[] = []): number {
  const actions = [{ buttonText: 'Undo', function: undo }, ...more];
  return toasts.show(words, { autoCloseTime: UNDO_MS, actions });
}
