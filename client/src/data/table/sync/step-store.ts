import { createStore, delMany, getMany, keys, setMany, type UseStore } from 'idb-keyval';
import type { Change } from '../changes/change.ts';
import type { KeptSteps, Step } from '../changes/history.ts';
import type { StepStore } from './table-state.ts';

/**
 * Steps kept on this machine, so that they can be taken back after the page was loaded anew. A
 * window keeps its own: one small record that lists its steps in order, and every step under a key
 * of its own, so that an edit writes no more than itself. A later window takes over from the newest
 * window that is no more.
 */

/** Most steps kept in each direction. */
export const MAX_STORED_STEPS = 100;
/** Most cells kept over all steps of one window. */
export const MAX_STORED_CELLS = 400_000;
/** Steps older than this are forgotten, in milliseconds. */
const FORGET_AFTER_MS = 7 * 24 * 3_600_000;
/** Time to wait for a closing window, in milliseconds. */
const WAIT_FOR_WINDOW_MS = 2_000;
/** Most windows asked for their steps. */
const MAX_ASKED = 5;

let opened: UseStore | undefined;
const stepDatabase = () => {
  opened ??= createStore('tuckbox-steps', 'steps');
  return opened;
};

/** Entry under a window's own key: the numbers of its steps, newest last. */
interface StepList {
  readonly done: readonly number[];
  readonly undone: readonly number[];
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
}

const stepKey = (window: string, step: number) => `${window}#${step}`;

function cellsOf(change: Change): number {
  if (change.kind === 'add' || change.kind === 'remove') return Object.keys(change.value.cells).length + 1;
  return 1;
}

/** As many of the newest steps as may be kept. */
export function storable({ done, undone }: KeptSteps): KeptSteps {
  let cells = 0;
  const newest = (steps: readonly Step[]): Step[] => {
    const kept: Step[] = [];
    for (let at = steps.length - 1; at >= 0 && kept.length < MAX_STORED_STEPS; at--) {
      const step = steps[at];
      if (!step) break;
      cells += step.changes.reduce((sum, change) => sum + cellsOf(change), 0);
      if (cells > MAX_STORED_CELLS) break;
      kept.unshift(step);
    }
    return kept;
  };
  const kept = newest(done);
  return { done: kept, undone: newest(undone) };
}

/**
 * Stored steps of one table in one window.
 *
 * @param key of this window and table, unique
 * @param now milliseconds since 1970
 */
export function stepStore(key: string, now: () => number): StepStore {
  const numbers = new WeakMap<Step, number>();
  let stored = new Set<number>();
  let last = now();
  return {
    async save(steps) {
      const kept = storable(steps);
      const fresh: [string, unknown][] = [];
      const listed = new Set<number>();
      const list = (these: readonly Step[]): number[] =>
        these.map((step) => {
          let number = numbers.get(step);
          if (number === undefined) {
            number = ++last;
            numbers.set(step, number);
          }
          if (!stored.has(number)) fresh.push([stepKey(key, number), step]);
          listed.add(number);
          return number;
        });
      const record: StepList = { done: list(kept.done), undone: list(kept.undone), at: now() };
      await setMany([...fresh, [key, record]], stepDatabase());
      const gone = [...stored].filter((number) => !listed.has(number));
      stored = listed;
      await delMany(
        gone.map((number) => stepKey(key, number)),
        stepDatabase(),
      );
    },
  };
}

/**
 * Hands over the steps of the newest window that had this table open and is no more.
 *
 * @param prefix what the keys of all windows with this table begin with
 * @param own this window's key; what it kept itself when it had the table open before counts too
 * @param take must have kept them for itself when it resolves
 */
export async function takeOverSteps(
  prefix: string,
  own: string,
  now: () => number,
  take: (steps: KeptSteps) => Promise<void>,
): Promise<void> {
  const all = await keys<string>(stepDatabase());
  const windows = all.filter((key) => !key.includes('#'));
  const found = await getMany<StepList>(windows, stepDatabase());
  const lists = windows.flatMap((key, i): [string, StepList][] => {
    const list = found[i];
    return list ? [[key, list]] : [];
  });
  const old = lists.filter(([, { at }]) => now() - at > FORGET_AFTER_MS);
  for (const [key, list] of old) await forget(key, list);
  const listed = new Set(windows);
  const stray = all.filter((key) => key.includes('#') && !listed.has(key.slice(0, key.indexOf('#'))));
  await delMany(stray, stepDatabase());
  const candidates = lists
    .filter((entry) => entry[0].startsWith(prefix) && !old.includes(entry))
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_ASKED);
  for (const [key, list] of candidates) {
    const hand = async (): Promise<boolean> => {
      await take(await read(key, list));
      await forget(key, list, key === own);
      return true;
    };
    if (key === own ? await hand() : await whenGone(key, hand)) return;
  }
}

/** Runs `work` once the window of that key is no more; gives up when it is still there. */
async function whenGone(key: string, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await navigator.locks.request(key, { signal: AbortSignal.timeout(WAIT_FOR_WINDOW_MS) }, work);
  } catch {
    return false;
  }
}

/** The listed steps; older ones than one that is missing could not be taken back in order. */
async function read(key: string, { done, undone }: StepList): Promise<KeptSteps> {
  const unbroken = async (numbers: readonly number[]): Promise<Step[]> => {
    const found = await getMany<Step | undefined>(
      numbers.map((number) => stepKey(key, number)),
      stepDatabase(),
    );
    const steps = found.slice(found.lastIndexOf(undefined) + 1);
    return steps.filter((step) => step !== undefined);
  };
  return { done: await unbroken(done), undone: await unbroken(undone) };
}

async function forget(key: string, { done, undone }: StepList, keepList = false): Promise<void> {
  const steps = [...done, ...undone].map((number) => stepKey(key, number));
  await delMany(keepList ? steps : [...steps, key], stepDatabase());
}
