/** Modal dialogs that are open, the topmost last: nothing outside of it can be reached. */
const open: HTMLDialogElement[] = [];
const observers = new Set<() => void>();

function tell(): void {
  for (const observer of observers) observer();
}

/** A dialog was shown above all others. */
export function dialogShown(dialog: HTMLDialogElement): void {
  const at = open.indexOf(dialog);
  if (at >= 0) open.splice(at, 1);
  open.push(dialog);
  tell();
}

/** A dialog is about to leave the document. */
export function dialogLeaves(dialog: HTMLDialogElement): void {
  const at = open.indexOf(dialog);
  if (at < 0) return;
  open.splice(at, 1);
  tell();
}

/** The dialog above everything else, where one is open. */
export function topDialog(): HTMLDialogElement | undefined {
  return open.at(-1);
}

/** Calls back whenever another dialog is topmost, or the same one was shown again. */
export function observeTopDialog(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}
