import { folderOf, isBelow, nameOf } from '../../core/images/path.ts';
import type { StoredImage } from '../../data/images/library-store.ts';

/** Sort orders of the library: values of the setting `globalSortImagesBy`. */
export const SORT_ORDERS = [
  { value: 'date', label: 'Newest first' },
  { value: 'name', label: 'Name' },
  { value: 'size', label: 'Largest first' },
  { value: 'type', label: 'Kind' },
] as const;

/** Smallest and largest picture in the library, in CSS pixels. */
export const ICON_SIZES = { min: 48, max: 240 } as const;

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const ORDERS: Readonly<Record<string, (a: StoredImage, b: StoredImage) => number>> = {
  date: (a, b) => stamp(b) - stamp(a) || names.compare(a.path, b.path),
  name: (a, b) => names.compare(nameOf(a.path), nameOf(b.path)),
  size: (a, b) => b.bytes - a.bytes || names.compare(a.path, b.path),
  type: (a, b) => names.compare(a.type, b.type) || names.compare(a.path, b.path),
};

/** An image that the server has not dated yet counts as the newest. */
const stamp = ({ createdAt }: StoredImage): number => createdAt || Number.MAX_SAFE_INTEGER;

export interface ImageFilter {
  readonly folder: string;
  /** Words that all must be found in path, tags, licence or credit. Searching looks into inner folders too. */
  readonly text: string;
  readonly tag: string;
  readonly sort: string;
}

/** The images to show, in order. */
export function selectImages(images: readonly StoredImage[], filter: ImageFilter): StoredImage[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const deep = words.length > 0 || filter.tag !== '';
  const found = images.filter((image) => {
    if (deep ? !isBelow(image.path, filter.folder) : folderOf(image.path) !== filter.folder) return false;
    if (filter.tag !== '' && !image.tags.includes(filter.tag)) return false;
    const text = `${image.path} ${image.tags.join(' ')} ${image.licence} ${image.credit}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return found.sort(ORDERS[filter.sort] ?? ORDERS.date);
}

/** A folder and how many images are in it and below. */
export interface Folder {
  readonly path: string;
  readonly count: number;
}

/** The folders directly in a folder, by name. */
export function foldersIn(images: readonly StoredImage[], folder: string): Folder[] {
  const counts = new Map<string, number>();
  const start = folder === '' ? 0 : folder.length + 1;
  for (const { path } of images) {
    if (!isBelow(path, folder)) continue;
    const end = path.indexOf('/', start);
    if (end === -1) continue;
    const inner = path.slice(0, end);
    counts.set(inner, (counts.get(inner) ?? 0) + 1);
  }
  return [...counts].map(([path, count]) => ({ path, count })).sort((a, b) => names.compare(a.path, b.path));
}

/** Every folder there is, inner ones too, by path. */
export function allFolders(images: readonly StoredImage[]): string[] {
  const found = new Set<string>();
  for (const { path } of images) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) found.add(folder);
  }
  return [...found].sort(names.compare);
}

/** Every tag in use, by name. */
export const allTags = (images: readonly StoredImage[]): string[] =>
  [...new Set(images.flatMap(({ tags }) => tags))].sort(names.compare);
