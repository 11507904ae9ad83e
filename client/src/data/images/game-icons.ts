import * as z from 'zod';

/** Folder of the icon library in the build. */
const ICONS_PATH = '/game-icons';
/** Side of the square that icons are drawn in, in units of their outlines. */
export const ICON_UNITS = 512;

const indexSchema = z.object({
  perFile: z.number().int().min(1),
  authors: z.array(z.object({ name: z.string(), licence: z.string() })),
  names: z.string(),
  madeBy: z.array(z.number().int()),
});

/** An icon of the library. */
export interface GameIcon {
  readonly name: string;
  /** As people read it. */
  readonly label: string;
  readonly author: string;
  readonly licence: string;
  /** Place in the library. */
  readonly index: number;
}

async function json(path: string): Promise<unknown> {
  const response = await fetch(`${ICONS_PATH}/${path}`);
  if (!response.ok) throw new Error(`The icons could not be loaded: the server answered ${response.status}.`);
  return response.json();
}

/** Memoizes a load; a failure is forgotten, so that the next call tries again. */
function once<T>(bring: () => Promise<T>): () => Promise<T> {
  let brought: Promise<T> | undefined;
  return () => {
    brought ??= bring();
    brought.catch(() => {
      brought = undefined;
    });
    return brought;
  };
}

const index = once(async () => indexSchema.parse(await json('index.json')));
const files = new Map<number, () => Promise<string[]>>();

/** All icons, by name. */
export const gameIcons = once(async (): Promise<readonly GameIcon[]> => {
  const { names, authors, madeBy } = await index();
  return names.split(' ').map((name, at) => {
    const { name: author, licence } = authors[madeBy[at] ?? -1] ?? { name: 'Unknown', licence: 'CC BY 3.0' };
    return { name, label: name.replaceAll('-', ' '), author, licence, index: at };
  });
});

/** An icon's outline, as the data of an SVG path in a square of `ICON_UNITS`. */
export async function iconOutline(icon: GameIcon): Promise<string> {
  const { perFile } = await index();
  const file = Math.floor(icon.index / perFile);
  let bring = files.get(file);
  if (!bring) {
    bring = once(async () => z.array(z.string()).parse(await json(`${file}.json`)));
    files.set(file, bring);
  }
  const outline = (await bring())[icon.index % perFile];
  if (outline === undefined) throw new Error(`There is no icon “${icon.label}”.`);
  return outline;
}

/** The icons whose names or authors have all of the words; names that begin with the first come first. */
export function searchIcons(icons: readonly GameIcon[], text: string): readonly GameIcon[] {
  const words = text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  const [first] = words;
  if (first === undefined) return icons;
  const found = icons.filter(({ label, author }) => {
    const all = `${label} ${author}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const rank = ({ label }: GameIcon) =>
    label === text.toLowerCase().trim() ? 0 : label.split(' ').includes(first) ? 1 : 2;
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/** An icon in a colour, as an SVG. @param ground colour behind it; `null` is transparent */
export function iconSvg(outline: string, color: string, ground: string | null): Blob {
  const side = `width="${ICON_UNITS}" height="${ICON_UNITS}"`;
  const behind = ground === null ? '' : `<rect ${side} fill="${escapeAttribute(ground)}"/>`;
  const path = `<path fill="${escapeAttribute(color)}" d="${escapeAttribute(outline)}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${side} viewBox="0 0 ${ICON_UNITS} ${ICON_UNITS}">${behind}${path}</svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
