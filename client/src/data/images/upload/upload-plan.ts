import { cleanPath, endingOf, freePath, nameOf } from '../../../core/images/path.ts';
import type { Prepared, UploadItem } from './upload-item.ts';

/** Fields of a library image that an upload compares. */
export interface Placed {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
  /** Media type of the file; empty where it is not known. */
  readonly type?: string;
  readonly file: string;
  readonly url: string;
}

/** Action planned for a file. */
export type UploadPlan =
  | { readonly kind: 'there'; readonly image: Placed; readonly own: boolean }
  | { readonly kind: 'skip'; readonly image: Placed }
  | { readonly kind: 'replace'; readonly image: Placed; readonly twin: Placed | undefined }
  | { readonly kind: 'add'; readonly path: string; readonly twin: Placed | undefined };

/** The path that a file gets, with the ending of what is stored. */
export function storedPath(wanted: string, ending: string, converted: boolean): string {
  const path = cleanPath(wanted) || `Image${ending}`;
  if (ending === '.svg' && endingOf(path) === '.svg') return path;
  if (!converted && ending !== '.svg' && /^\.(?:png|jpe?g|jfif|webp|gif)$/.test(endingOf(path))) return path;
  const base = endingOf(path) === '' ? path : path.slice(0, path.length - endingOf(path).length);
  return `${base || nameOf(path)}${ending}`;
}

/**
 * Decides what becomes of a file.
 * @param images what the library holds, with what was added since
 * @param reserved paths of files under way, in lower case
 */
export function planUpload(
  item: Pick<UploadItem, 'id' | 'path' | 'ifTaken' | 'replaces'>,
  content: Pick<Prepared, 'hash' | 'type' | 'ending' | 'converted'>,
  images: readonly Placed[],
  reserved: ReadonlySet<string>,
): UploadPlan {
  // A drawing that was once stored as pixels has the hash of its SVG.
  const isSame = ({ hash, type }: Placed) => hash === content.hash && (type || content.type) === content.type;
  const twin = images.find((image) => isSame(image) && image.id !== item.id);
  const own = images.find(({ id }) => id === item.id);
  // It was stored before the last answer was lost.
  if (own && isSame(own)) return { kind: 'there', image: own, own: true };
  const path = storedPath(item.path, content.ending, content.converted);
  const target =
    item.replaces === undefined
      ? images.find((image) => image.path.toLowerCase() === path.toLowerCase() && image.id !== item.id)
      : images.find(({ id }) => id === item.replaces);
  if (target && isSame(target)) return { kind: 'there', image: target, own: false };
  if (target && (item.replaces !== undefined || item.ifTaken === 'replace'))
    return { kind: 'replace', image: target, twin };
  if (target && item.ifTaken === 'skip') return { kind: 'skip', image: target };
  const taken = new Set(images.map((image) => image.path.toLowerCase()));
  const isTaken = (name: string) => taken.has(name.toLowerCase()) || reserved.has(name.toLowerCase());
  return { kind: 'add', path: freePath(path, isTaken), twin };
}
