import { createStore, delMany, entries, get, setMany, type UseStore } from 'idb-keyval';
import type { UploadItem } from './upload-item.ts';

interface KeptFile {
  readonly item: UploadItem;
  readonly blob: Blob;
  /** Whose upload it is: others who use this browser have their own. */
  readonly uid: string;
}

let opened: UseStore | undefined;

/** One connection for all: what is asked of it happens in the order in which it was asked. */
function store(): UseStore {
  opened ??= createStore('tuckbox-uploads', 'files');
  return opened;
}

/** Files of this page, for browsers that cannot keep any. */
const atHand = new Map<string, Blob>();

/** Files of an upload, kept by the browser so that closing the page does not end it. */
export const keptFiles = {
  async restore(uid: string): Promise<UploadItem[]> {
    const all = await entries<string, KeptFile | undefined>(store()).catch(() => []);
    return all.flatMap(([, kept]) => (kept?.uid === uid ? [kept.item] : []));
  },
  async keep(uid: string, files: readonly { item: UploadItem; blob: Blob }[]): Promise<boolean> {
    for (const { item, blob } of files) atHand.set(item.id, blob);
    try {
      await setMany(
        files.map(({ item, blob }) => [item.id, { item, blob, uid } satisfies KeptFile]),
        store(),
      );
      return true;
    } catch {
      return false;
    }
  },
  note(item: UploadItem): void {
    // What cannot be noted is sent from its beginning by the next page.
    store()('readwrite', (files) => {
      const found: IDBRequest<KeptFile | undefined> = files.get(item.id);
      found.onsuccess = () => {
        // What was dropped stays so.
        if (found.result) files.put({ ...found.result, item } satisfies KeptFile, item.id);
      };
    }).catch(() => undefined);
  },
  drop(ids: readonly string[]): void {
    for (const id of ids) atHand.delete(id);
    // What stays behind is found to be there already by the next page.
    delMany([...ids], store()).catch(() => undefined);
  },
  async blob(id: string): Promise<Blob | undefined> {
    return atHand.get(id) ?? (await get<KeptFile>(id, store()).catch(() => undefined))?.blob;
  },
};
