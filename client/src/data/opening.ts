import { createContext, useContext, useEffect, useState } from 'react';

/**
 * Whether a project opened. What is in it may be more than a machine can work out: a page that hangs is ended by its
 * user, and the same would happen at the next visit. So a page says that it begins, and takes that back once it is
 * calm; one that finds what another left behind asks what to leave out.
 */

/** A page without anything to do for so long has opened, in milliseconds. */
export const CALM_MS = 4_000;

/** What a project is opened without. */
export interface Without {
  readonly formulas: boolean;
  readonly pictures: boolean;
  readonly sources: boolean;
}

export const NOTHING: Without = { formulas: false, pictures: false, sources: false };

const chosen = new Map<string, Without>();

/** What somebody chose to open a project without, until the page is loaded anew. */
export const chosenWithout = (project: string): Without => chosen.get(project) ?? NOTHING;
export const chooseWithout = (project: string, without: Without): void => void chosen.set(project, without);

/** What the project around here was opened without. */
export const WithoutContext = createContext<Without>(NOTHING);
export const useWithout = (): Without => useContext(WithoutContext);

const keyOf = (project: string) => `tuckbox-opening:${project}`;
const lockOf = (project: string) => `tuckbox-opening:${project}`;

function mark(project: string, opening: boolean): void {
  try {
    if (opening) localStorage.setItem(keyOf(project), '1');
    else localStorage.removeItem(keyOf(project));
  } catch {
    // Without storage nothing is asked.
  }
}

/** Whether a page began to open a project and is gone without having said that it did. */
async function leftUnfinished(project: string): Promise<boolean> {
  // Without locks, a page that is still there cannot be told from one that is gone.
  if (!navigator.locks) return false;
  let marked: string | null = null;
  try {
    marked = localStorage.getItem(keyOf(project));
  } catch {
    // As above.
  }
  if (marked === null) return false;
  // A page that is still there holds a lock, which the browser lets go of with the page, however that ends.
  const held = (await navigator.locks.query()).held ?? [];
  return !held.some(({ name }) => name === lockOf(project));
}

/** Says that a project is being opened. @returns says that it opened, or that the page was left */
function begin(project: string): () => void {
  let done: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    done = resolve;
  });
  void navigator.locks?.request(lockOf(project), { mode: 'shared' }, () => open).catch(() => undefined);
  mark(project, true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = () => {
    clearTimeout(timer);
    window.removeEventListener('pagehide', finish);
    mark(project, false);
    done();
  };
  // A page that hangs does not get to its timers.
  timer = setTimeout(finish, CALM_MS);
  window.addEventListener('pagehide', finish);
  return finish;
}

/** What came of asking whether a project may be opened as usual. */
export type Opening = 'checking' | 'ask' | 'open';

/** Opens a project unless its last page did not get that far; `choose` opens it all the same. */
export function useOpening(project: string): { readonly state: Opening; readonly choose: () => void } {
  const [state, setState] = useState<Opening>('checking');
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    let gone = false;
    setState('checking');
    setBegun(false);
    void leftUnfinished(project)
      .catch(() => false)
      .then((unfinished) => {
        if (!gone) setState(unfinished ? 'ask' : 'open');
      });
    return () => {
      gone = true;
    };
  }, [project]);
  useEffect(() => {
    if (state !== 'open') return;
    const finish = begin(project);
    // Only now may what is in the project take as long as it likes.
    setBegun(true);
    return finish;
  }, [project, state]);
  return { state: state === 'open' && !begun ? 'checking' : state, choose: () => setState('open') };
}
