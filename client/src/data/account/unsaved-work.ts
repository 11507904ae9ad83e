/** Work on this page that the server does not have yet, and the end of a session that waits for it. */

import type { SessionEnd } from '@sdk/own-account';
import { inTrial } from '../trial/place.ts';

/** Longest wait for what is being saved before it counts as not saved, in milliseconds. */
export const SAVE_WAIT_MS = 10_000;

/** A place of the page where something may not be saved. */
export interface UnsavedWork {
  readonly isUnsaved: () => boolean;
  /** Saves now; settles when that was tried. */
  readonly save: () => Promise<unknown>;
}

/** The session has ended elsewhere, and this page keeps what was typed on it. */
export interface Leaving {
  readonly end: SessionEnd;
  /** It is being saved. */
  readonly saving: boolean;
}

const places = new Set<UnsavedWork>();

const isAnyUnsaved = (): boolean => [...places].some((place) => place.isUnsaved());

const warn = (event: BeforeUnloadEvent): void => {
  if (isAnyUnsaved()) event.preventDefault();
};

/** From here on the page is not left unasked while this is not saved. @returns ends it */
export function guardUnsaved(work: UnsavedWork): () => void {
  if (places.size === 0) window.addEventListener('beforeunload', warn);
  places.add(work);
  return () => {
    places.delete(work);
    if (places.size === 0) window.removeEventListener('beforeunload', warn);
  };
}

/** Leaves the field that is typed into, since it gives its text to the page only then. */
async function leaveField(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  // The page draws what follows from that first.
  await new Promise((resolve) => setTimeout(resolve));
}

/** Saves all that this page holds; false if something is left that could not be saved in good time. */
export async function saveUnsaved(): Promise<boolean> {
  await leaveField();
  const saved = Promise.allSettled([...places].map((place) => place.save()));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, SAVE_WAIT_MS);
  });
  await Promise.race([saved, late]);
  clearTimeout(timer);
  return !isAnyUnsaved();
}

let leaving: Leaving | undefined;
let letGo: () => void = () => undefined;
const observers = new Set<() => void>();

function setLeaving(next: Leaving | undefined): void {
  leaving = next;
  for (const observer of observers) observer();
}

/** The end of the session for which this page waits. */
export const leavingNow = (): Leaving | undefined => leaving;

/** Calls back whenever that changes. */
export function observeLeaving(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}

/** Tries once more to save what keeps the page, and leaves it then. */
export async function saveAndLeave(): Promise<void> {
  if (!leaving || leaving.saving) return;
  const { end } = leaving;
  setLeaving({ end, saving: true });
  const saved = await saveUnsaved();
  if (saved) letGo();
  else if (leaving) setLeaving({ end, saving: false });
}

/** Leaves the page with what is not saved. */
export const leaveUnsaved = (): void => letGo();

/**
 * Settles when nothing on this page needs the session any more: all is saved, or the user lets it go.
 *
 * @param back aborted when the same account is signed in again
 */
export async function finishWork(end: SessionEnd, back: AbortSignal): Promise<void> {
  if (inTrial()) return;
  await leaveField();
  if (!isAnyUnsaved() || back.aborted) return;
  const done = new Promise<void>((resolve) => {
    letGo = resolve;
    back.addEventListener('abort', () => resolve());
  });
  setLeaving({ end, saving: false });
  void saveAndLeave();
  await done;
  setLeaving(undefined);
}
