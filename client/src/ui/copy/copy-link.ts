import { toasts } from '../toasts/engine.ts';

/** Puts a text on the clipboard, and says so; where that is not allowed, it is shown to be copied. @param noun its name */
export async function copyText(text: string, noun: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show(`The ${noun} is on the clipboard.`, { type: 'success' });
  } catch {
    // Selecting it with the mouse clicks it.
    toasts.show(`Copy this ${noun}: ${text}`, { autoCloseTime: 0, closeOnClick: false });
  }
}

export const copyLink = (link: string): Promise<void> => copyText(link, 'link');
