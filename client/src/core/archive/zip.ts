import { strFromU8, unzipSync, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { ArchiveError } from './error.ts';
import { MAX_ARCHIVE_BYTES, MAX_FILES, MAX_PATH_LENGTH, MAX_RATIO, MAX_UNPACKED_BYTES } from './limits.ts';

/** Smaller files are exempt from the ratio limit: an empty table is mostly repetition. */
const SMALL_BYTES = 1024 * 1024;
/** Files by path. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Date of every entry: with the real one, the same project would not make the same file. */
const DATE = new Date(1980, 0, 1, 0, 0, 0);
const LEVEL = 6;
/** File types that are already compressed. */
const PACKED = /\.(?:png|jpe?g|webp|gif|avif)$/i;

/** Byte order of names, whatever the machine's language. */
export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A ZIP of files in the order of their names: the same files make the same bytes. */
export function zip(files: Files, onFile?: (done: number, total: number) => void): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let failure: Error | null = null;
  const archive = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk);
  });
  const names = [...files.keys()].sort(byName);
  for (const [i, name] of names.entries()) {
    const entry = PACKED.test(name) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: LEVEL });
    entry.mtime = DATE;
    archive.add(entry);
    entry.push(files.get(name) ?? new Uint8Array(), true);
    onFile?.(i + 1, names.length);
  }
  archive.end();
  if (failure) throw failure;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The fault of a path that may not be in an archive. */
function pathFault(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  if (path.includes('\\')) return 'has a backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'begins at a root';
  if (path.split('/').some((part) => part === '..' || part === '.' || part === ''))
    return 'leads out of its folder';
  for (const char of path)
    if (char.codePointAt(0) !== undefined && (char.codePointAt(0) ?? 0) < 32)
      return 'has a control character';
  return undefined;
}

const shown = (path: string): string => JSON.stringify(path.slice(0, 120));

/**
 * The files of a ZIP. Folders and files that operating systems add are left out.
 * @throws ArchiveError if it is no ZIP, is too large, or has paths that escape the archive
 */
export function unzip(bytes: Uint8Array): Map<string, Uint8Array<ArrayBuffer>> {
  if (bytes.length > MAX_ARCHIVE_BYTES) {
    throw new ArchiveError(
      `This file is larger than ${MAX_ARCHIVE_BYTES / 1024 / 1024} MB, which is the most.`,
    );
  }
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new ArchiveError('This file is no ZIP archive.');
  let count = 0;
  let total = 0;
  const seen = new Set<string>();
  let found: Record<string, Uint8Array>;
  try {
    found = unzipSync(bytes, {
      filter: ({ name, size, originalSize }) => {
        if (name.endsWith('/') || /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name)) return false;
        const fault = pathFault(name);
        if (fault) throw new ArchiveError(`The path ${shown(name)} ${fault}. Nothing was read.`);
        if (seen.has(name.toLowerCase())) throw new ArchiveError(`The path ${shown(name)} is there twice.`);
        seen.add(name.toLowerCase());
        count++;
        total += originalSize;
        if (count > MAX_FILES) throw new ArchiveError(`The archive has more than ${MAX_FILES} files.`);
        if (total > MAX_UNPACKED_BYTES || (originalSize > SMALL_BYTES && originalSize > size * MAX_RATIO)) {
          throw new ArchiveError(`${shown(name)} would unpack to far more than it may. Nothing was read.`);
        }
        return true;
      },
    });
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('This ZIP archive is damaged or incomplete. Download or copy it again.');
  }
  return new Map(
    Object.entries(found)
      .sort(([a], [b]) => byName(a, b))
      .map(([name, data]) => [name, data as Uint8Array<ArrayBuffer>]),
  );
}

/** A file's text. */
export const textOf = (bytes: Uint8Array): string => strFromU8(bytes).replace(/^\uFEFF/, '');
