import { boardOfTiled } from '../../core/board/tiled/board-of-tiled.ts';
import { isRecord, isTileSet, readTiled } from '../../core/board/tiled/read-tiled.ts';
import { TiledError } from '../../core/board/tiled/tiled-error.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { MAX_NAME_LENGTH } from '../documents/documents.ts';
import { readTmx } from './read-tmx.ts';

/** Largest map file read, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Most files chosen together: a map and its tile sets. */
const MAX_FILES = 50;

/**
 * A board made of a map of Tiled (`.tmx`, `.tmj` or `.json`), and what could not be taken over.
 * @param files the map, and tile sets of it that lie in files of their own; pictures among them are left out
 * @throws TiledError
 */
export async function openTiled(
  files: readonly File[],
  newId = (): string => crypto.randomUUID(),
): Promise<{ board: Layout; remarks: readonly string[] }> {
  const texts = files.length > 1 ? files.filter(({ type }) => !type.startsWith('image/')) : files;
  if (texts.length > MAX_FILES)
    throw new TiledError(`At most ${MAX_FILES} files are opened together: a map and its tile sets.`);
  if (texts.some(({ size }) => size > MAX_BYTES))
    throw new TiledError(`The file is larger than ${MAX_BYTES / 1024 / 1024} MB: a map is not.`);
  const read = await Promise.all(
    texts.map(async (file) => ({ name: file.name, json: readText(await file.text()) })),
  );
  const sets = new Map(
    read.flatMap(({ name, json }) => (isTileSet(json) ? [[name.toLowerCase(), json]] : [])),
  );
  const maps = read.filter(({ json }) => !isTileSet(json));
  const [first = read[0], second] = maps;
  if (second) throw new TiledError('These are several maps. Choose one, and the tile sets that it uses.');
  const map = readTiled(withSets(first?.json, sets));
  const name = cutText(first?.name.replace(/\.\w+$/, '') ?? '', MAX_NAME_LENGTH) || 'Map';
  return { board: boardOfTiled(name, map, newId), remarks: map.remarks };
}

const readText = (text: string): unknown => (/^\s*</.test(text) ? readTmx(text) : parsed(text));

/** The map with the tile sets of other files in it, which it names by their paths. */
function withSets(map: unknown, sets: ReadonlyMap<string, Record<string, unknown>>): unknown {
  if (!isRecord(map) || !Array.isArray(map['tilesets'])) return map;
  const tilesets = map['tilesets'].map((set: unknown) => {
    const source = isRecord(set) && typeof set['source'] === 'string' ? set['source'] : undefined;
    const found =
      source === undefined ? undefined : sets.get(source.split(/[\\/]/).at(-1)?.toLowerCase() ?? '');
    return found && isRecord(set) ? { ...found, firstgid: set['firstgid'] } : set;
  });
  return { ...map, tilesets };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TiledError('This is not a Tiled map: it is neither XML nor JSON.');
  }
}
