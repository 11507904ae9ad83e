import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { directImports } from './barrels.mjs';
import { entryInOneChunk, lazyModules } from './entry-chunk.mjs';

let root;

/** Two pages that share a part each with the entry, and one with each other. */
const SOURCES = {
  'main.ts': `import { a } from './a.ts';\nimport { b } from './b.ts';
    console.log(a, b, () => import('./one.ts'), () => import('./two.ts'));`,
  'a.ts': `export const a = 'part of the entry and of one';`,
  'b.ts': `export const b = 'part of the entry and of two';`,
  'both.ts': `export const both = 'part of both pages';`,
  'one.ts': `import { a } from './a.ts';\nimport { both } from './both.ts';\nexport const one = [a, both];`,
  'two.ts': `import { b } from './b.ts';\nimport { both } from './both.ts';\nexport const two = [b, both];`,
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'entry-chunk-'));
  mkdirSync(path.join(root, 'src'));
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(path.join(root, 'src', name), text);
});

afterEach(() => rmSync(root, { recursive: true }));

/** Text of the outputs that the entry needs at once. */
async function entryFiles(finish) {
  const entry = path.join(root, 'src/main.ts');
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { main: entry },
    plugins: [directImports(root, [], finish)],
    outdir: path.join(root, 'dist'),
    bundle: true,
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
  });
  const needed = new Set();
  const walk = (file) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const edge of metafile.outputs[file].imports) if (edge.kind === 'import-statement') walk(edge.path);
  };
  walk('dist/main.js');
  return [...needed].map((file) => outputFiles.find((output) => output.path === path.join(root, file)).text);
}

test('a build finds the modules that are imported lazily', () => {
  expect([...lazyModules(root)].map((file) => path.basename(file)).sort()).toEqual(['one.ts', 'two.ts']);
});

test('all that the entry shares with its lazy pages is in one file, and nothing of theirs', async () => {
  const scattered = await entryFiles();
  expect(scattered).toHaveLength(3);
  const files = await entryFiles(entryInOneChunk(root, path.join(root, 'src/main.ts')));
  const withParts = files.filter((text) => text.includes('part of'));
  expect(withParts).toHaveLength(1);
  expect(withParts[0]).toContain('part of the entry and of one');
  expect(withParts[0]).toContain('part of the entry and of two');
  expect(withParts[0]).not.toContain('part of both pages');
});
