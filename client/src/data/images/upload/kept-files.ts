import { createStore, get, promisifyRequest, setMany, type UseStore } from 'idb-keyval';
import type { UploadItem } from './upload-item.ts';

/** State of a stored upload. The content has a key of its own, so that a state change does not rewrite it. */
interface KeptItem {
  readonly item: UploadItem;
  /** Owner of the upload: users who share this browser have separate uploads. */
  readonly uid: string;
}

const itemKey = (id: string) => `item/${id}`;
const blobKey = (id: string) => `blob/${id}`;

let opened: UseStore | undefined;

/** One connection for all: what is asked of it happens in the order in which it was asked. */
function store(): UseStore {
  opened ??= createStore('tuckbox-uploads', 'files');
  return opened;
}

/** Files of this page, for browsers that cannot keep any. */
const atHand = new Map<string, Blob>();

/** Pending writes: an item's new state, or its removal. */
let due = new Map<string, UploadItem | 'dropped'>();
let writing: Promise<void> | undefined;

/**
 * Writes what is due, all of it at once: however many changes came meanwhile, at most one writing is under way
 * and one waits, so a page that is closed leaves the files as they stand and not as they stood long ago.
 */
async function writeDue(): Promise<void> {
  while (due.size > 0) {
    const changes = due;
    due = new Map();
    await store()('readwrite', (files) => {
      for (const [id, change] of changes) {
        if (change === 'dropped') {
          files.delete(itemKey(id));
          files.delete(blobKey(id));
          continue;
        }
        const found: IDBRequest<KeptItem | undefined> = files.get(itemKey(id));
        found.onsuccess = () => {
          // A removed upload stays removed.
          if (found.result) files.put({ ...found.result, item: change } satisfies KeptItem, itemKey(id));
        };
      }
      return promisifyRequest(files.transaction);
      // An upload whose progress cannot be stored is restarted by the next page, or found complete there.
    }).catch(() => undefined);
  }
  writing = undefined;
}

function write(id: string, change: UploadItem | 'dropped'): void {
  if (due.get(id) !== 'dropped') due.set(id, change);
  writing ??= writeDue();
}

/** Files of an upload, kept by the browser so that closing the page does not end it. */
export const keptFiles = {
  async restore(uid: string): Promise<UploadItem[]> {
    await writing;
    const all = await store()('readonly', (files) =>
      promisifyRequest<KeptItem[]>(files.getAll(IDBKeyRange.bound(itemKey(''), itemKey('\uffff')))),
    ).catch(() => []);
    return all.flatMap((kept) => (kept.uid === uid ? [kept.item] : []));
  },
  async keep(uid: string, files: readonly { item: UploadItem; blob: Blob }[]): Promise<boolean> {
    for (const { item, blob } of files) atHand.set(item.id, blob);
    try {
      await setMany(
        files.flatMap(({ item, blob }) => [
          [itemKey(item.id), { item, uid } satisfies KeptItem] as [string, unknown],
          [blobKey(item.id), blob] as [string, unknown],
        ]),
        store(),
      );
      return true;
    } catch {
      return false;
    }
  },
  note(item: UploadItem): void {
    write(item.id, item);
  },
  drop(ids: readonly string[]): void {
    for (const id of ids) {
      atHand.delete(id);
      write(id, 'dropped');
    }
  },
  async blob(id: string): Promise<Blob | undefined> {
    return atHand.get(id) ?? (await get<Blob>(blobKey(id), store()).catch(() => undefined));
  },
};
