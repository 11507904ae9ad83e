import { boardOfTiled } from '../../core/board/tiled/board-of-tiled.ts';
import { readTiled } from '../../core/board/tiled/read-tiled.ts';
import { TiledError } from '../../core/board/tiled/tiled-error.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { MAX_NAME_LENGTH } from '../documents.ts';
import { readTmx } from './read-tmx.ts';

/** Largest map file read, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A board made of a map of Tiled (`.tmx`, `.tmj` or `.json`), and what could not be taken over. */
export async function openTiled(
  file: File,
  newId = (): string => crypto.randomUUID(),
): Promise<{ board: Layout; remarks: readonly string[] }> {
  if (file.size > MAX_BYTES)
    throw new TiledError(`The file is larger than ${MAX_BYTES / 1024 / 1024} MB: a map is not.`);
  const text = await file.text();
  const map = readTiled(/^\s*</.test(text) ? readTmx(text) : parsed(text));
  const name = cutText(file.name.replace(/\.\w+$/, ''), MAX_NAME_LENGTH) || 'Map';
  return { board: boardOfTiled(name, map, newId), remarks: map.remarks };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TiledError('This is no map of Tiled: it is neither XML nor JSON.');
  }
}
