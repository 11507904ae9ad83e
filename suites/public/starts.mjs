/**
 * Starts a project of each firebase.json below the folders named, and says which do not start and why.
 *
 *   node suites/public/starts.mjs [--bare] FOLDER…
 *
 * Each file is copied into an empty project, together with the rules, indexes and folders that it names; with `--bare`
 * without them, as after a fresh clone of a project whose build has not run. Then `emulators:exec` runs a command there.
 * Of files with the same text one is tried.
 */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TUCKBOX } from '../shared/program.mjs';

const { values: options, positionals: folders } = parseArgs({
  options: { bare: { type: 'boolean', default: false } },
  allowPositionals: true,
});

/** A start takes so long at most, in milliseconds. */
const MOST_MS = 60_000;
/** Printed by the command that runs beside the emulators. */
const RAN = 'the script ran';

const RULES = (service) =>
  `rules_version = '2';\nservice ${service} { match /{all=**} { allow read, write; } }\n`;

/** Files called firebase.json below a folder, and those of a folder that holds nothing but numbered ones. */
function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', '.git'].includes(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (/^(firebase(\.[\w-]+)?|\d+)\.json$/.test(entry.name)) yield file;
  }
}

/** The text as JSON without comments, if it is some. */
function parsed(text) {
  try {
    return JSON.parse(text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1'));
  } catch {
    return undefined;
  }
}

const list = (value) => (value === undefined || value === null ? [] : [value].flat());

/** Writes what a file names into the project. */
function complete(project, config) {
  const put = (name, text) => {
    const inside =
      typeof name === 'string' && !path.relative(project, path.join(project, name)).startsWith('..');
    if (!inside) return;
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  };
  for (const one of list(config.firestore)) {
    put(one.rules, RULES('cloud.firestore'));
    put(one.indexes, '{"indexes": [], "fieldOverrides": []}');
  }
  for (const one of list(config.storage)) put(one.rules, RULES('firebase.storage'));
  for (const one of list(config.hosting))
    if (one.public) put(path.join(one.public, 'index.html'), '<p>Hello</p>');
  for (const one of list(config.functions)) {
    const source = one.source ?? 'functions';
    put(path.join(source, 'package.json'), '{"name": "functions", "main": "index.js"}');
    put(path.join(source, 'index.js'), '');
  }
}

/** Starts the project of one file: `started`, and the lines of its log or of its refusal. */
function start(file) {
  const project = mkdtempSync(path.join(tmpdir(), 'tuckbox-start-'));
  try {
    copyFileSync(file, path.join(project, 'firebase.json'));
    const config = parsed(readFileSync(file, 'utf8'));
    if (!options.bare && config) complete(project, config);
    const args = ['emulators:exec', '--project', 'demo-start', `echo ${RAN}`];
    const { stdout, stderr, status } = spawnSync(TUCKBOX, args, {
      cwd: project,
      encoding: 'utf8',
      timeout: MOST_MS,
    });
    const lines = stderr.split('\n').filter((line) => line !== '');
    if (status === 0 && stdout.includes(RAN)) return { started: true, lines };
    const reason = lines.filter((line) => !line.startsWith('warning: '));
    return { started: false, lines: reason.length > 0 ? reason : [`ended with ${status}`] };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

const tried = new Set();
let started = 0;
let others = 0;
for (const folder of folders) {
  for (const file of filesBelow(path.resolve(folder))) {
    const text = readFileSync(file, 'utf8').trim();
    if (tried.has(text)) continue;
    tried.add(text);
    const result = start(file);
    if (result.started) started++;
    else {
      others++;
      console.log(`${path.relative(path.resolve(folder), file)}: ${result.lines.join(' | ')}`);
    }
  }
}
console.log(`${started} started, ${others} did not`);
