import { hasImageEnding } from './file-kind.ts';

/** A file and where in its folders it was. */
export interface FoundFile {
  /** Folders and name, as they were on the disk. */
  readonly path: string;
  readonly file: File;
}

/** Most files taken at once. */
export const MAX_FILES = 5_000;

/** Files of folders come with what their system put beside them; these are nobody's images. */
const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/** The files of a picker; those of a folder's keep their folders. */
export function pickedFiles(list: Iterable<File>): FoundFile[] {
  return [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path, file }) => file.webkitRelativePath === '' || (!isHidden(path) && hasImageEnding(path)))
    .slice(0, MAX_FILES);
}

/**
 * Everything that was dropped or pasted. Must be called in the event itself: the browser empties the list
 * as soon as the event is over.
 */
export function droppedFiles(data: DataTransfer): Promise<FoundFile[]> {
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return entry || file ? [{ entry, file }] : [];
  });
  return collect(entries);
}

async function collect(
  entries: readonly { readonly entry: FileSystemEntry | null; readonly file: File | null }[],
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, entry.name, found);
    else if (file) found.push({ path: file.name, file });
  }
  return found.slice(0, MAX_FILES);
}

async function walk(folder: FileSystemDirectoryEntry, path: string, found: FoundFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A folder is read in pieces of a hundred; an empty piece is its end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (found.length >= MAX_FILES) return;
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, inner, found);
      else if (!isHidden(inner) && hasImageEnding(entry.name)) {
        const file = await new Promise<File>((resolve, reject) =>
          (entry as FileSystemFileEntry).file(resolve, reject),
        );
        found.push({ path: inner, file });
      }
    }
  }
}
