import { createStore, get, promisifyRequest, setMany, type UseStore } from 'idb-keyval';
import type { UploadItem } from './upload-item.ts';

/** How a kept file stands. Its content has a key of its own: noting a change does not write it again. */
interface KeptItem {
  readonly item: UploadItem;
  /** Whose upload it is: others who use this browser have their own. */
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

/** What is to be written next: how a file stands, or that it is no longer kept. */
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
          // What was dropped stays so.
          if (found.result) files.put({ ...found.result, item: change } satisfies KeptItem, itemKey(id));
        };
      }
      return promisifyRequest(files.transaction);
      // What cannot be noted is sent from its beginning by the next page, or found to be there already.
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
