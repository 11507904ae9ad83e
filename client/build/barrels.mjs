import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * esbuild splits code by file: a page that imports one icon from a package's index would put every
 * icon any page uses into the first download. So imports of these indexes are turned into imports of
 * the files behind them.
 */
const BARRELS = {
  '@mantine/core': 'node_modules/@mantine/core/esm/index.mjs',
  '@mantine/hooks': 'node_modules/@mantine/hooks/esm/index.mjs',
  'lucide-react': 'node_modules/lucide-react/dist/esm/lucide-react.mjs',
  '@sdk/auth': 'src/sdk/auth.ts',
};

const names = (list) =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [imported, local = imported] = part.split(/\s+as\s+/);
      return { imported, local };
    });

/** Maps each name of an index to the file that it comes from. */
function readBarrel(file) {
  const source = readFileSync(file, 'utf8');
  const found = new Map();
  for (const [, kind, list, from] of source.matchAll(
    /\b(import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g,
  )) {
    if (!from.startsWith('.')) continue;
    const target = path.resolve(path.dirname(file), from);
    for (const { imported, local } of names(list)) {
      if (kind === 'export' || !found.has(local)) found.set(local, { target, imported });
    }
  }
  return found;
}

/**
 * esbuild plugin over the application's own sources and Mantine's components; packages that something else takes the
 * place of are `aliased`. `finish` has the last word on each of the application's sources.
 */
export function directImports(root, aliased = [], finish = (_file, source) => source) {
  const barrels = new Map();
  const exportsOf = (name) => {
    if (!barrels.has(name)) barrels.set(name, readBarrel(path.join(root, BARRELS[name])));
    return barrels.get(name);
  };
  const rewrite = (source) =>
    source.replace(
      /^import\s*\{([^}]*)\}\s*from\s*['"](@mantine\/core|@mantine\/hooks|lucide-react|@sdk\/auth)['"];/gm,
      (statement, list, name) => {
        if (aliased.includes(name)) return statement;
        const known = exportsOf(name);
        const lines = [];
        const own = [];
        for (const { imported, local } of names(list)) {
          if (imported.startsWith('type ')) continue;
          const origin = known.get(imported);
          // A name the index makes itself, or does not spell out.
          if (!origin) own.push(`${imported} as ${local}`);
          else lines.push(`import { ${origin.imported} as ${local} } from ${JSON.stringify(origin.target)};`);
        }
        if (own.length > 0) lines.push(`import { ${own.join(', ')} } from '${name}';`);
        return lines.join(' ');
      },
    );
  // An index among the sources imports what it hands on, needed or not; nobody takes it from there any more.
  const isIndex = (file) =>
    Object.entries(BARRELS).some(([name, at]) => !aliased.includes(name) && path.join(root, at) === file);
  const withoutReexports = (source) => source.replace(/^export\s*\{[^}]*\}\s*from\s*'\.[^']*';/gm, '');
  return {
    name: 'direct-imports',
    setup(build) {
      // Mantine's components import its hooks by their index, too.
      build.onLoad({ filter: /[\\/]@mantine[\\/]core[\\/]esm[\\/].*\.mjs$/ }, async ({ path: file }) => ({
        contents: rewrite(await readFile(file, 'utf8')),
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, async ({ path: file }) => {
        const source = rewrite(await readFile(file, 'utf8'));
        return {
          contents: finish(file, isIndex(file) ? withoutReexports(source) : source),
          loader: file.endsWith('x') ? 'tsx' : 'ts',
        };
      });
    },
  };
}
