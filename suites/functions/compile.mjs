// Compiles the sample functions, `node suites/functions/compile.mjs`, as `npm run build` in their folder does. Many tests
// may ask for it at once: what is current stays, and new files take the place of old ones whole.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the sample functions. */
export const SAMPLE = fileURLToPath(new URL('functions', import.meta.url));
const LIB = path.join(SAMPLE, 'lib');
/** Beside the compiled files: of which sources they are. Written last. */
const STAMP = path.join(LIB, '.sources');
const TSC = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** A number for everything that the compiled files depend on. */
function sources() {
  const folder = path.join(SAMPLE, 'src');
  const files = readdirSync(folder).sort();
  const hash = createHash('sha256');
  for (const file of ['tsconfig.json', 'package.json', ...files.map((name) => path.join('src', name))])
    hash.update(`${file}\n`).update(readFileSync(path.join(SAMPLE, file)));
  return hash.digest('hex');
}

/** Hash of the sources that are compiled now. */
function current() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

/** Compiles the sample where it has changed; its folder. */
export function compileSample() {
  const wanted = sources();
  if (current() === wanted) return SAMPLE;
  mkdirSync(LIB, { recursive: true });
  const made = mkdtempSync(path.join(LIB, '.new-'));
  try {
    execFileSync(process.execPath, [TSC, '--project', SAMPLE, '--outDir', made], { stdio: 'inherit' });
    const files = readdirSync(made);
    const left = readdirSync(LIB, { withFileTypes: true }).filter((one) => one.isFile());
    for (const file of files) renameSync(path.join(made, file), path.join(LIB, file));
    for (const { name } of left) if (!files.includes(name)) rmSync(path.join(LIB, name), { force: true });
    const stamp = path.join(made, 'stamp');
    writeFileSync(stamp, wanted);
    renameSync(stamp, STAMP);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return SAMPLE;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compileSample();
