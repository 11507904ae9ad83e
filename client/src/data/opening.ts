import { createContext, useContext, useEffect, useState } from 'react';

/**
 * Detects projects and layouts that do not finish opening. One may need more than a machine can compute: its user ends
 * the hanging page, and the next visit would hang too. A page therefore stores a mark when it begins and removes it once it
 * is idle; a page that finds a mark left by another asks which parts to leave out.
 */

/** A page without anything to do for so long has opened, in milliseconds. */
export const CALM_MS = 4_000;

/**
 * Time after which a mark without a lock counts as left behind, in milliseconds. Locks and storage reach other pages by
 * separate ways: on a busy machine a lock may be released while storage still shows the mark.
 */
export const SETTLING_MS = 2_000;

/** Parts to leave out while opening a project or a layout. */
export interface Without {
  readonly formulas: boolean;
  readonly pictures: boolean;
  readonly sources: boolean;
}

export const NOTHING: Without = { formulas: false, pictures: false, sources: false };

const chosen = new Map<string, Without>();

/** Parts the user chose to leave out, until the page is reloaded. */
export const chosenWithout = (id: string): Without => chosen.get(id) ?? NOTHING;
export const chooseWithout = (id: string, without: Without): void => void chosen.set(id, without);

/** Parts left out of the enclosing project. */
export const WithoutContext = createContext<Without>(NOTHING);
export const useWithout = (): Without => useContext(WithoutContext);

/** Name under which a layout outside of any project is opened; projects have their ids. */
export const layoutKey = (layout: string): string => `layout:${layout}`;

const keyOf = (id: string) => `tuckbox-opening:${id}`;
const lockOf = (id: string) => `tuckbox-opening:${id}`;

function mark(id: string, opening: boolean): void {
  try {
    if (opening) localStorage.setItem(keyOf(id), '1');
    else localStorage.removeItem(keyOf(id));
  } catch {
    // Without storage nothing is asked.
  }
}

function isMarked(id: string): boolean {
  try {
    return localStorage.getItem(keyOf(id)) !== null;
  } catch {
    return false;
  }
}

/** True if a page holds the lock, which the browser releases with the page, however that ends. */
async function isHeld(id: string): Promise<boolean> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return [...held, ...pending].some(({ name }) => name === lockOf(id));
}

/** Waits until storage shows that the mark was removed, or for {@link SETTLING_MS}. */
function settled(id: string): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('storage', changed);
      resolve();
    };
    const changed = ({ key }: StorageEvent) => {
      if ((key === keyOf(id) || key === null) && !isMarked(id)) end();
    };
    const timer = setTimeout(end, SETTLING_MS);
    window.addEventListener('storage', changed);
  });
}

/** True if a page began to open the project and ended before it finished. */
async function leftUnfinished(id: string): Promise<boolean> {
  // Without locks, a page that is still there cannot be told from one that is gone.
  if (!navigator.locks || !isMarked(id) || (await isHeld(id))) return false;
  await settled(id);
  return isMarked(id) && !(await isHeld(id));
}

/**
 * True from `pagehide` on, unless the browser shows the page again. Effects may still run then, and nothing would remove
 * the mark that they store.
 */
let left = false;
const unfinished = new Set<() => void>();
// One listener from the start: listeners that are added while an event is dispatched, by what runs between two of the
// others, are not called for it.
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    left = true;
    for (const finish of unfinished) finish();
  });
  window.addEventListener('pageshow', () => {
    left = false;
  });
}

/** Says that a project is being opened. @returns says that it opened, or that the page was left */
function begin(id: string): () => void {
  if (left) return () => undefined;
  let done: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    done = resolve;
  });
  void navigator.locks?.request(lockOf(id), { mode: 'shared' }, () => open).catch(() => undefined);
  mark(id, true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = () => {
    clearTimeout(timer);
    unfinished.delete(finish);
    mark(id, false);
    done();
  };
  // A page that hangs does not get to its timers.
  timer = setTimeout(finish, CALM_MS);
  unfinished.add(finish);
  return finish;
}

/** Result of the check before a project is opened. */
export type Opening = 'checking' | 'ask' | 'open';

/** Opens a project unless its last page did not get that far; `choose` opens it all the same. */
export function useOpening(id: string): { readonly state: Opening; readonly choose: () => void } {
  const [state, setState] = useState<Opening>('checking');
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    let gone = false;
    setState('checking');
    setBegun(false);
    void leftUnfinished(id)
      .catch(() => false)
      .then((unfinished) => {
        if (!gone) setState(unfinished ? 'ask' : 'open');
      });
    return () => {
      gone = true;
    };
  }, [id]);
  useEffect(() => {
    if (state !== 'open') return;
    const finish = begin(id);
    // Only now may what is in the project take as long as it likes.
    setBegun(true);
    return finish;
  }, [id, state]);
  return { state: state === 'open' && !begun ? 'checking' : state, choose: () => setState('open') };
}
