import type { ImagePlace } from '../library-location.ts';
import type { IconOrigin } from '../schema.ts';

/** State of one file of an upload. */
export type UploadState = 'waiting' | 'working' | 'done' | 'same' | 'skipped' | 'failed' | 'cancelled';

/** A file's content, ready to be stored. */
export interface Prepared {
  readonly blob: Blob;
  readonly hash: string;
  readonly type: string;
  readonly ending: string;
  readonly w: number;
  readonly h: number;
  /** Another format than the file's own is stored. */
  readonly converted: boolean;
  /** Why another format is stored, for the person. */
  readonly remark?: string;
}

/** Resolution of a name clash on upload. */
export type IfTaken = 'keep-both' | 'replace' | 'skip';

/** Details of the image beside its bytes. */
export interface UploadDetails {
  readonly tags?: readonly string[];
  readonly licence?: string;
  readonly credit?: string;
  readonly icon?: IconOrigin;
}

/** One file of an upload. */
export interface UploadItem {
  /** Also the id of the image it becomes: sending it twice makes one image. */
  readonly id: string;
  /** Place of the image. */
  readonly shelf: ImagePlace;
  /** Destination: folders and name. */
  readonly path: string;
  /** Length, in bytes. */
  readonly bytes: number;
  /** Bytes that the server has. */
  readonly sent: number;
  readonly state: UploadState;
  readonly ifTaken: IfTaken;
  /** Id of the image whose place it takes. */
  readonly replaces?: string;
  readonly details: UploadDetails;
  /** Why it failed or was left out; for a success under another name, that name. */
  readonly message?: string;
  /** Trying again may help. */
  readonly mayRetry?: boolean;
  /** Address at which an interrupted transfer goes on. */
  readonly session?: string;
  /** Id of the image that it became or that was there. */
  readonly image?: string;
}

/** States in which nothing more happens by itself. */
export const isOver = ({ state }: UploadItem): boolean =>
  state === 'done' || state === 'same' || state === 'skipped' || state === 'failed' || state === 'cancelled';

/** All files of an upload together. */
export interface UploadTotals {
  readonly files: number;
  /** Over and well. */
  readonly finished: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Waiting or under way. */
  readonly left: number;
  readonly bytes: number;
  readonly sent: number;
}

export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  let [finished, failed, cancelled, left, bytes, sent] = [0, 0, 0, 0, 0, 0];
  for (const item of items) {
    bytes += item.bytes;
    if (item.state === 'failed') failed++;
    else if (item.state === 'cancelled') cancelled++;
    else if (isOver(item)) finished++;
    else left++;
    sent += isOver(item) && item.state !== 'cancelled' ? item.bytes : item.sent;
  }
  return { files: items.length, finished, failed, cancelled, left, bytes, sent };
}
