import { createStore, del, keys, promisifyRequest, set, type UseStore } from 'idb-keyval';
import * as z from 'zod';
import { sessionUser } from '../account/session.ts';
import { holdLock, ifReleased } from '../window-lock.ts';
import { OwnChanges } from './own-changes.ts';

/**
 * The user's own changes whose images have not been looked for yet. They are kept on this machine until they have been: a
 * page that is closed or reloaded leaves them to the next one of the project.
 */

/** This window, among those that keep changes on this machine. */
const WINDOW_ID = crypto.randomUUID();

let opened: UseStore | undefined;
const store = () => {
  opened ??= createStore('tuckbox-own-changes', 'changes');
  return opened;
};
/** The lock of the window that kept the changes of this key. */
const lockOf = (key: string) => `tuckbox-own-changes/${key.slice(key.lastIndexOf('/') + 1)}`;
let isHeld = false;
const prefixOf = (project: string) => `${sessionUser()?.uid}/${project}/`;

const changeSchema = z.union([
  z.tuple([z.literal('card'), z.string(), z.string(), z.record(z.string(), z.string()).nullable()]),
  z.tuple([z.literal('component'), z.string(), z.record(z.string(), z.unknown()).nullable()]),
  z.tuple([z.literal('layout'), z.string(), z.unknown()]),
]);

const noted = new Map<string, OwnChanges>();
/** Those whose images are being looked for. */
const working = new Map<string, OwnChanges>();
const observers = new Set<(project: string) => void>();

/**
 * Notes a change that has been written, and ends when it is kept on this machine too.
 * @param project its id
 */
export async function noteOwnChange(project: string, note: (changes: OwnChanges) => void): Promise<void> {
  note(notedOf(project));
  const kept = keep(project);
  for (const observer of [...observers]) observer(project);
  await kept;
}

/**
 * Looks for the images of what was changed, here and in windows that are gone; does nothing without changes. Should the work
 * fail, its changes are left for the next time. Calls of one project follow one another.
 */
export async function withOwnChanges(
  project: string,
  work: (changes: OwnChanges) => Promise<void>,
): Promise<void> {
  await takeOver(project);
  const changes = noted.get(project);
  if (!changes) return;
  noted.delete(project);
  working.set(project, changes);
  try {
    await work(changes);
  } catch (error) {
    notedOf(project).after(changes.all());
    throw error;
  } finally {
    working.delete(project);
    await keep(project);
  }
}

/** Calls back whenever a change is noted. */
export function onOwnChange(callback: (project: string) => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}

function notedOf(project: string): OwnChanges {
  const changes = noted.get(project) ?? new OwnChanges();
  noted.set(project, changes);
  return changes;
}

/** In a browser that keeps nothing, changes last as long as the page. */
async function keep(project: string): Promise<void> {
  const all = [...(working.get(project)?.all() ?? []), ...(noted.get(project)?.all() ?? [])];
  const key = prefixOf(project) + WINDOW_ID;
  if (!isHeld) holdLock(lockOf(key));
  isHeld = true;
  await (all.length > 0 ? set(key, all, store()) : del(key, store())).catch(() => undefined);
}

/**
 * Takes what windows kept that are gone. Where the browser has no locks, as on pages without TLS, what open ones kept is
 * taken too: they work on it all the same, and a second look finds nothing new.
 */
async function takeOver(project: string): Promise<void> {
  const prefix = prefixOf(project);
  const all = await keys<string>(store()).catch(() => []);
  const others = all.filter((key) => key.startsWith(prefix) && key !== prefix + WINDOW_ID);
  for (const key of others) {
    const take = async () => {
      const found = await getAndDelete(key).catch(() => undefined);
      const read = Array.isArray(found) ? found.map((one) => changeSchema.safeParse(one)) : [];
      const changes = read.flatMap(({ data }) => (data ? [data] : []));
      if (changes.length === 0) return;
      notedOf(project).after(changes);
      await keep(project);
    };
    await (navigator.locks ? ifReleased(lockOf(key), take) : take());
  }
}

/** In one step, so that nothing is lost which the other window keeps meanwhile. */
function getAndDelete(key: string): Promise<unknown> {
  return store()('readwrite', async (changes) => {
    const found = promisifyRequest<unknown>(changes.get(key));
    changes.delete(key);
    await promisifyRequest(changes.transaction);
    return found;
  });
}
