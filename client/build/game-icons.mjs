import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Icons in one file: few enough to come at once, enough that a screenful is few files. */
export const ICONS_PER_FILE = 96;
const LICENCE = 'CC BY 3.0';

/**
 * The icon library as the application reads it: `game-icons/index.json` says which icons there are, who made
 * them and under which licence; `game-icons/N.json` has the outlines of the N-th ninety-six.
 * @throws Error when an icon has no author or another form than one path: nothing may go uncredited
 */
export function writeGameIcons(root, outDir) {
  const require = createRequire(path.join(root, 'package.json'));
  const { icons } = JSON.parse(readFileSync(require.resolve('@iconify-json/game-icons/icons.json'), 'utf8'));
  const authors = JSON.parse(readFileSync(path.join(root, 'assets/game-icon-authors.json'), 'utf8'));
  const madeBy = new Map(
    authors.flatMap(({ icons: names }, index) => names.split(' ').map((name) => [name, index])),
  );
  const names = Object.keys(icons).sort();
  const folder = path.join(root, outDir, 'game-icons');
  mkdirSync(folder, { recursive: true });
  const outlines = names.map((name) => {
    const [, outline] = /^<path fill="currentColor" d="([^"]*)"\/>$/.exec(icons[name].body) ?? [];
    if (outline === undefined) throw new Error(`The icon ${name} is not one path.`);
    if (!madeBy.has(name)) throw new Error(`The icon ${name} has no author in game-icon-authors.json.`);
    return outline;
  });
  for (let from = 0; from < names.length; from += ICONS_PER_FILE) {
    const part = outlines.slice(from, from + ICONS_PER_FILE);
    writeFileSync(path.join(folder, `${from / ICONS_PER_FILE}.json`), JSON.stringify(part));
  }
  const index = {
    perFile: ICONS_PER_FILE,
    authors: authors.map(({ name, licence = LICENCE }) => ({ name, licence })),
    names: names.join(' '),
    madeBy: names.map((name) => madeBy.get(name)),
  };
  writeFileSync(path.join(folder, 'index.json'), JSON.stringify(index));
}
