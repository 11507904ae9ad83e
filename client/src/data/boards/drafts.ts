import { createStore, del, entries, get, keys, type UseStore, update } from 'idb-keyval';
import * as z from 'zod';
import { type Layout, layoutSchema } from '../../core/scene/layout.ts';

/**
 * Boards that are drawn without an account. They lie in this browser alone; every tab of it sees the same ones.
 */

/** Most drafts of one browser. */
export const MAX_DRAFTS = 100;

/** Kept with a draft beside its board. */
const draftSchema = z.object({
  scene: layoutSchema,
  /** One more with every save, so that tabs know old news from new. */
  revision: z.number().int().min(0),
  /** Milliseconds since 1970. */
  updatedAt: z.number(),
  /** Folds it is printed with at first. */
  fold: z.enum(['none', 'two', 'four', 'six']).catch('none'),
});

export interface Draft extends z.infer<typeof draftSchema> {
  readonly id: string;
}

let opened: UseStore | undefined;
const draftStore = () => {
  opened ??= createStore('tuckbox-boards', 'drafts');
  return opened;
};

const CHANNEL = 'tuckbox-boards';

/** Tells all tabs, this one among them. */
function tell(id: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(id);
  channel.close();
}

/** Calls back with the id of each draft that is saved or deleted, in this tab or another. */
export function onDrafts(callback: (id: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => callback(String(data));
  return () => channel.close();
}

const readDraft = (id: string, found: unknown): Draft | undefined => {
  const read = draftSchema.safeParse(found);
  return read.success ? { id, ...read.data } : undefined;
};

/** @throws Error in words when the browser does not keep anything, or no more */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    if (!(reason instanceof DOMException)) throw reason;
    const why =
      reason.name === 'QuotaExceededError'
        ? 'This browser has no room left for the board: delete boards or pictures here, or save it to a project.'
        : 'This browser does not keep the board: allow it to store data of this page, or leave the private window.';
    throw new Error(why, { cause: reason });
  }
}

const write = (id: string, change: (found: unknown) => unknown): Promise<void> =>
  inWords(() => update<unknown>(id, change, draftStore()));

/** A draft; undefined if there is none of that id that can be read. */
export async function findDraft(id: string): Promise<Draft | undefined> {
  return readDraft(id, await get(id, draftStore()));
}

/** The drafts of this browser, last changed first. */
export async function listDrafts(): Promise<Draft[]> {
  const all = await entries<string, unknown>(draftStore());
  return all
    .flatMap(([id, found]) => readDraft(id, found) ?? [])
    .sort((one, other) => other.updatedAt - one.updatedAt);
}

/**
 * Keeps a new draft and answers its id.
 * @throws Error in words when there are too many
 */
export async function addDraft(
  scene: Layout,
  fold: Draft['fold'],
  newId = (): string => crypto.randomUUID(),
  now = Date.now,
): Promise<string> {
  const id = newId();
  const known = await inWords(() => keys(draftStore()));
  if (known.length >= MAX_DRAFTS)
    throw new Error(`This browser keeps ${MAX_DRAFTS} boards. Delete one, or save it to a project first.`);
  await write(id, () => ({ scene, fold, revision: 0, updatedAt: now() }));
  tell(id);
  return id;
}

/**
 * Writes a draft as `make` wants it, given what is stored, so that two tabs overwrite nothing of each other.
 * @throws Error when it has been deleted, or when it could not be read back
 */
export async function commitDraft(
  id: string,
  make: (stored: Draft) => Layout,
  now = Date.now,
): Promise<{ scene: Layout; revision: number }> {
  let written: Draft | undefined;
  let fault: string | undefined;
  await write(id, (found) => {
    const stored = readDraft(id, found);
    if (!stored) {
      fault = 'The board has been deleted.';
      return found;
    }
    const scene = make(stored);
    const [issue] = layoutSchema.safeParse(scene).error?.issues ?? [];
    if (issue) {
      fault = `The board cannot be saved: ${issue.path.join('.')}: ${issue.message}. Undo it.`;
      return found;
    }
    written = { ...stored, scene, revision: stored.revision + 1, updatedAt: now() };
    const { id: _, ...kept } = written;
    return kept;
  });
  if (!written) throw new Error(fault ?? 'The board could not be saved.');
  tell(id);
  return written;
}

/** Deletes a draft. */
export async function deleteDraft(id: string): Promise<void> {
  await del(id, draftStore());
  tell(id);
}

/** Puts a deleted draft back. */
export async function restoreDraft({ id, ...kept }: Draft): Promise<void> {
  await write(id, () => kept);
  tell(id);
}
