import { deleteField, doc, serverTimestamp, setDoc, updateDoc } from '@sdk/firestore';
import { getDownloadURL, ref, uploadBytes, uploadBytesResumable } from '@sdk/storage';
import { useSyncExternalStore } from 'react';
import { withoutMetadata } from '../../../render/images/image-metadata.ts';
import { sessionUser } from '../../account/session.ts';
import { fileStore } from '../../server/files.ts';
import { describeError } from '../../server/messages.ts';
import { locationOf } from '../library-location.ts';
import { libraryStore } from '../library-store.ts';
import { contentHash } from './content-hash.ts';
import { toPng, upright } from './convert.ts';
import { DRAWING_EDGE_PX, type ImageKind, kindOf } from './file-kind.ts';
import { keptFiles } from './kept-files.ts';
import type { Prepared, UploadItem } from './upload-item.ts';
import { type QueueState, type StoredFile, type UploadEnvironment, UploadQueue } from './upload-queue.ts';

/** Files up to this many bytes go in one request: there is nothing to resume in them. */
const ONE_REQUEST_BYTES = 512 * 1024;
/** Changes of the queue reach the screen at most this often, in milliseconds. */
const SHOW_EVERY_MS = 60;

const TRANSIENT = new Set([
  'unavailable',
  'deadline-exceeded',
  'aborted',
  'internal',
  'cancelled',
  'storage/retry-limit-exceeded',
]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** A picture whose format is kept: without its metadata, and upright. A damaged one is stored as browsers show it. */
async function bared(
  kind: ImageKind & { readonly size: { readonly w: number; readonly h: number } },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Prepared> {
  const bare = withoutMetadata(bytes);
  const blob = new Blob([bare.bytes], { type: kind.type });
  if (bare.orientation === 1 && bare.isBare) {
    return { ...kind, ...kind.size, blob, hash: await contentHash(bare.bytes), converted: false };
  }
  const made = await upright(blob, bare.orientation);
  const [type, ending] = kind.type === 'image/jpeg' ? [kind.type, kind.ending] : ['image/png', '.png'];
  return { ...made, hash: await contentHash(bytes), type, ending, converted: true };
}

/** A file's content, as it is stored. @throws NotAnImage naming what is wrong */
export async function prepare(blob: Blob): Promise<Prepared> {
  const bytes = new Uint8Array(
    await blob.arrayBuffer().catch(() => {
      throw new Error('The file cannot be read any more: was it moved or deleted? Choose it again.');
    }),
  );
  const kind = kindOf(bytes);
  if (kind.size) return bared({ ...kind, size: kind.size }, bytes);
  let remark: string | undefined;
  if (kind.type === 'image/svg+xml') {
    const { keepVector } = await import('./vector.ts');
    const kept = keepVector(bytes);
    if (!('why' in kept)) {
      const stored = new Uint8Array(await kept.blob.arrayBuffer());
      return { ...kind, ...kept, hash: await contentHash(stored), converted: false };
    }
    remark = `The drawing ${kept.why}, so it is kept as a picture of ${DRAWING_EDGE_PX.toLocaleString('en')} pixels.`;
  }
  const made = await toPng(blob, kind.type);
  return {
    ...made,
    ...(remark !== undefined && { remark }),
    hash: await contentHash(bytes),
    type: 'image/png',
    ending: '.png',
    converted: true,
  };
}

/** Stores a content as a file of its own. */
export async function send(
  item: Pick<UploadItem, 'id' | 'shelf' | 'session'>,
  content: Prepared,
  how: Parameters<UploadEnvironment['send']>[2],
): Promise<StoredFile> {
  // A name of its own for each upload: writing over a file would end the addresses that others know.
  const name = `${content.hash.slice(0, 16)}-${item.id}${content.ending}`;
  const target = ref(fileStore(), `${locationOf(item.shelf).files}/${name}`);
  const metadata = { contentType: content.type, cacheControl: 'private, max-age=31536000, immutable' };
  if (content.blob.size <= ONE_REQUEST_BYTES) await uploadBytes(target, content.blob, metadata);
  else await inParts(target, content.blob, metadata, item.session, how);
  const address = new URL(await getDownloadURL(target), window.location.href);
  const own = address.origin === window.location.origin;
  return { file: target.fullPath, url: own ? address.pathname + address.search : address.href };
}

function inParts(
  target: ReturnType<typeof ref>,
  blob: Blob,
  metadata: { readonly contentType: string },
  session: string | undefined,
  { signal, onSent, onSession }: Parameters<UploadEnvironment['send']>[2],
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const task = uploadBytesResumable(target, blob, metadata, {
      onSession,
      ...(session !== undefined && { session }),
    });
    signal.addEventListener('abort', () => {
      if (signal.reason === 'pause') task.pause();
      else task.cancel();
      reject(signal.reason);
    });
    task.on(
      'state_changed',
      ({ bytesTransferred }) => onSent(bytesTransferred),
      reject,
      () => resolve(task),
    );
  });
}

const environment: UploadEnvironment = {
  restore: () => keptFiles.restore(sessionUser()?.uid ?? ''),
  keep: (files) => keptFiles.keep(sessionUser()?.uid ?? '', files),
  note: keptFiles.note,
  drop: keptFiles.drop,
  blob: keptFiles.blob,
  images: async (shelf) => (await libraryStore(shelf).first()).images,
  prepare,
  send,
  async add(item, path, fields) {
    await setDoc(locationOf(item.shelf).image(item.id), {
      tags: [],
      licence: '',
      credit: '',
      ...fields,
      path,
      former: [],
      createdAt: serverTimestamp(),
      updatedAt: serverTimestamp(),
    });
  },
  async replace(item, image, fields) {
    // The old image's crop does not apply to the new one.
    await updateDoc(locationOf(item.shelf).image(image.id), {
      ...fields,
      crop: deleteField(),
      ...(fields.icon === undefined && { icon: deleteField() }),
      updatedAt: serverTimestamp(),
    });
  },
  isTransient: (error) => TRANSIENT.has(codeOf(error)) || error instanceof TypeError,
  describe(error) {
    const said = (error as { serverResponse?: unknown } | null)?.serverResponse;
    if (codeOf(error) === 'storage/unauthorized')
      return 'The server refuses this file: its kind, its size, or the folder is not allowed to you.';
    if (codeOf(error) === 'storage/retry-limit-exceeded' || error instanceof TypeError)
      return 'The server cannot be reached. It goes on by itself.';
    if (typeof said === 'string' && said !== '') {
      try {
        const { error: inner } = JSON.parse(said) as { error?: { message?: unknown } };
        if (typeof inner?.message === 'string') return inner.message;
      } catch {
        return said.slice(0, 200);
      }
    }
    return describeError(error);
  },
  newId: () => doc(locationOf('image').images()).id,
  soon: (callback) => void setTimeout(callback, SHOW_EVERY_MS),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** Name of the lock that says which of the browser's tabs takes up what an earlier page left. */
const LOCK = 'tuckbox-uploads';

let queue: UploadQueue | undefined;

/** The page's uploads. They go on while one looks at other pages. */
export function uploads(): UploadQueue {
  if (!queue) {
    const made = new UploadQueue(environment);
    queue = made;
    // One tab takes over what is left; when it is closed, the next one does.
    const { locks } = navigator as { locks?: LockManager };
    if (locks) {
      void locks.request(LOCK, async () => {
        await made.restore();
        await new Promise<never>(() => undefined);
      });
    } else void made.restore();
  }
  return queue;
}

/** The page's uploads, kept up to date. */
export function useUploads(): QueueState {
  const current = uploads();
  return useSyncExternalStore(current.subscribe, current.snapshot);
}
