/** The programs called `firebase` and `npx` that the tests of a project find: Tuckbox, or the official suite. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { officialSuite } from '../functions/official.mjs';
import { TUCKBOX } from '../shared/program.mjs';

/** The project's own link to firebase-tools waits under this name while another program has its place. */
const ASIDE = '.firebase-of-the-project';

function script(file, lines) {
  writeFileSync(file, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
}

/** Our program, in `folder`. */
function tuckbox(folder) {
  script(path.join(folder, 'firebase'), [`exec "${TUCKBOX}" "$@"`]);
  return { name: 'tuckbox', env: {}, notes: [] };
}

/** The official suite, in `folder`: it starts only the emulators whose programs are on this machine. */
function official(folder) {
  const { command, env, emulators, notes } = officialSuite(folder);
  const here = [...emulators, 'hosting'].join(',');
  script(path.join(folder, 'firebase'), [
    `case " $* " in`,
    `*" --only "*|*" setup:emulators"*) ;;`,
    `*" emulators:"*) exec "${command}" "$@" --only "${here}";;`,
    'esac',
    `exec "${command}" "$@"`,
  ]);
  const { FIREBASE_TOOLS: _, ...rest } = env;
  return { name: 'official suite', env: rest, notes };
}

/** Writes the programs of one side into `folder`; its name, the variables its programs need, and notes on what it lacks. */
export function programs(side, folder) {
  mkdirSync(folder, { recursive: true });
  const made = side === 'official' ? official(folder) : tuckbox(folder);
  // `npx -y firebase-tools@latest emulators:exec` would fetch another program.
  script(path.join(folder, 'npx'), [
    'for word in "$@"; do',
    '  case "$word" in',
    '  firebase|firebase-tools|firebase-tools@*)',
    '    while [ "$1" != "$word" ]; do shift; done; shift',
    `    exec "${path.join(folder, 'firebase')}" "$@";;`,
    '  -*) ;;',
    '  *) break;;',
    '  esac',
    'done',
    `PATH=$(printf %s "$PATH" | sed 's|${folder}:||g') exec npx "$@"`,
  ]);
  return { ...made, env: { ...made.env, PATH: `${folder}:${process.env.PATH}` } };
}

/** Folders `node_modules/.bin` of a checkout. */
function binFolders(checkout, depth = 4) {
  const found = [];
  for (const entry of readdirSync(checkout, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === '.git') continue;
    const folder = path.join(checkout, entry.name);
    if (entry.name === 'node_modules') {
      if (existsSync(path.join(folder, '.bin'))) found.push(path.join(folder, '.bin'));
    } else if (depth > 0) found.push(...binFolders(folder, depth - 1));
  }
  return found;
}

const isThere = (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** Puts `program` in the place of each `node_modules/.bin/firebase` of the checkout; the function given back undoes it. */
export function replaceOwn(checkout, program) {
  const replaced = [];
  for (const folder of binFolders(checkout)) {
    const [link, aside] = ['firebase', ASIDE].map((name) => path.join(folder, name));
    if (!isThere(aside) && isThere(link)) renameSync(link, aside);
    if (!isThere(aside)) continue;
    // After a run that was cut off and another install, a link is here again: writing would change what it leads to.
    rmSync(link, { force: true });
    script(link, [`exec "${program}" "$@"`]);
    replaced.push([aside, link]);
  }
  return () => {
    for (const [aside, link] of replaced) renameSync(aside, link);
  };
}
