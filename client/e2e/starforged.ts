/** The 87 asset cards of Ironsworn: Starforged (© Shawn Tomkin, CC BY 4.0) as a designer's CSV file. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

interface Asset {
  readonly _id: string;
  readonly name: string;
  readonly category: string;
  readonly color: string;
  readonly abilities: readonly { readonly text: string }[];
}

interface Starforged {
  readonly assets: Readonly<Record<string, { readonly contents: Readonly<Record<string, Asset>> }>>;
}

export const COLUMNS = ['ID', 'Name', 'Category', 'Color', 'Ability 1', 'Ability 2', 'Ability 3'] as const;

/** `[text](id:…)` links lead into the rule book's data; a card shows only their text. */
const withoutLinks = (text: string) => text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');

/** One row per card, in the order of the package, in {@link COLUMNS}. */
export async function starforgedRows(): Promise<string[][]> {
  const file = createRequire(import.meta.url).resolve('@datasworn/starforged/json/starforged.json');
  const { assets } = JSON.parse(await readFile(file, 'utf8')) as Starforged;
  return Object.values(assets).flatMap(({ contents }) =>
    Object.values(contents).map(({ _id, name, category, color, abilities }) => [
      _id,
      name,
      category,
      color,
      ...[0, 1, 2].map((index) => withoutLinks(abilities[index]?.text ?? '')),
    ]),
  );
}

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const toCsv = (rows: readonly (readonly string[])[]) =>
  [COLUMNS, ...rows].map((row) => row.map(quote).join(',')).join('\r\n');
