import { toasts } from './engine.ts';

/** Time for which a change can be taken back by its note, in milliseconds. */
const UNDO_MS = 10_000;

/** Says that something was done, and offers to take it back for a while. */
export function offerUndo(words: string, undo: () => void): void {
  toasts.show(words, { autoCloseTime: UNDO_MS, actions: [{ buttonText: 'Undo', function: undo }] });
}
