import { toasts } from './toasts/engine.ts';

/** Puts a link on the clipboard, and says so; where that is not allowed, the link is shown to be copied. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toasts.show('The link is on the clipboard.', { type: 'success' });
  } catch {
    // Selecting it with the mouse clicks it.
    toasts.show(`Copy this link: ${link}`, { autoCloseTime: 0, closeOnClick: false });
  }
}
