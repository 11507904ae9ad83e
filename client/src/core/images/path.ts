/** Longest address of an image within its library, in characters. */
export const MAX_PATH_LENGTH = 400;
/** Longest name of a folder or an image, in characters. */
export const MAX_SEGMENT_LENGTH = 120;
/** Folders in folders, at most. */
export const MAX_DEPTH = 12;

/** Characters that file systems or URLs refuse. Braces and commas would end an icon's name in a text. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\\/:*?"<>|{},]/gu;

/** One segment of a path without forbidden characters; empty when nothing is left. */
export function cleanSegment(text: string): string {
  const cleaned = text.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  // Names of dots alone mean folders in file systems.
  return /^\.*$/.test(cleaned) ? '' : cleaned.slice(0, MAX_SEGMENT_LENGTH).trim();
}

/** A path of folders and a name without forbidden characters. Deep ones lose their middle folders. */
export function cleanPath(path: string): string {
  const parts = path
    .split('/')
    .map(cleanSegment)
    .filter((part) => part !== '');
  const kept = parts.length > MAX_DEPTH ? [...parts.slice(0, MAX_DEPTH - 1), parts.at(-1) ?? ''] : parts;
  while (kept.length > 1 && kept.join('/').length > MAX_PATH_LENGTH) kept.splice(kept.length - 2, 1);
  return kept.join('/').slice(-MAX_PATH_LENGTH);
}

/** Folder of an image; the outermost is empty. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
/** Name of an image or folder, without the folders it is in. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** Name without its ending. */
export const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]+$/, '');
/** Ending with its dot, in lower case; empty when there is none. */
export const endingOf = (path: string): string => /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '';
export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/** True if a path lies in a folder or below it. */
export const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The path itself or, when it is taken, with the first free number: `dragon (2).png`. */
export function freePath(path: string, taken: (path: string) => boolean): string {
  if (!taken(path)) return path;
  const ending = /\.[^./]+$/.exec(path)?.[0] ?? '';
  const base = path.slice(0, path.length - ending.length).replace(/ \(\d+\)$/, '');
  for (let number = 2; ; number++) {
    const next = `${base} (${number})${ending}`;
    if (!taken(next)) return next;
  }
}
