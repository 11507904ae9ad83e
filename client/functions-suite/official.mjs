// The official suite (firebase-tools) on this machine: its command, the environment it needs, and what it lacks.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Java that firebase-tools takes. */
const OLDEST_JAVA = 21;
/** Where Debian and others put them. */
const JAVA_HOMES = '/usr/lib/jvm';
/** The Firestore emulator that Google's command line brings, which is the same program. */
const GCLOUD_FIRESTORE =
  '/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar';

/** Where it begins. */
const FIRESTORE_CLASS = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';

const version = (java) => {
  try {
    const said = execFileSync(java, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return Number(/^\S+ (\d+)/.exec(said)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** The newest Java here, if it is new enough. */
function java() {
  const homes = existsSync(JAVA_HOMES) ? readdirSync(JAVA_HOMES) : [];
  const found = ['java', ...homes.map((home) => path.join(JAVA_HOMES, home, 'bin/java'))]
    .map((program) => ({ program, version: version(program) }))
    .sort((a, b) => b.version - a.version)[0];
  return found && found.version >= OLDEST_JAVA ? found.program : undefined;
}

/** The newest program of this name that firebase-tools has downloaded. */
function downloaded(name) {
  const cache = process.env.FIREBASE_EMULATORS_PATH ?? path.join(homedir(), '.cache/firebase/emulators');
  const found = existsSync(cache) ? readdirSync(cache).filter((file) => file.startsWith(name)) : [];
  return found.length > 0 ? path.join(cache, found.sort().at(-1)) : undefined;
}

/**
 * What runs it: `command`, `env`, the emulators there are, and `notes` on what is other than usual. `folder` takes what it
 * needs for that and is removed by the caller.
 */
export function officialSuite(folder) {
  const command = process.env.FIREBASE_TOOLS;
  if (!command) throw new Error('FIREBASE_TOOLS must name the command of firebase-tools');
  const notes = [];
  const env = { ...process.env, CI: '1', NO_UPDATE_NOTIFIER: '1' };
  const emulators = ['functions', 'auth', 'eventarc', 'tasks'];
  const real = java();
  const jar = downloaded('cloud-firestore-emulator-') ?? GCLOUD_FIRESTORE;
  if (real && existsSync(jar)) {
    emulators.push('firestore');
    env.FIRESTORE_EMULATOR_BINARY_PATH = jar;
  } else {
    notes.push(
      `firestore is left out: ${real ? 'its program is not here' : `no Java ${OLDEST_JAVA} or newer`}`,
    );
  }
  if (downloaded('pubsub-emulator-')) emulators.push('pubsub');
  else notes.push('pubsub is left out: its program cannot be downloaded here');
  emulators.push('storage');
  const rules = downloaded('cloud-storage-rules-runtime-');
  const standIn = !real || !rules;
  if (standIn) {
    env.STORAGE_EMULATOR_BINARY_PATH = path.join(folder, 'rules-runtime.jar');
    writeFileSync(env.STORAGE_EMULATOR_BINARY_PATH, '');
    notes.push(
      'storage runs without its rules program, which cannot be downloaded here: a stand-in allows everything',
    );
  }
  // firebase-tools runs whatever is called java.
  const shim = path.join(folder, 'java');
  const allows = fileURLToPath(new URL('rules-runtime.mjs', import.meta.url));
  const lines = [
    '#!/bin/sh',
    ...(real ? [] : ['case "$*" in *-version*) echo \'openjdk version "21.0.0"\' >&2; exit 0;; esac']),
    ...(standIn ? [`case "$*" in *rules-runtime*) exec "${process.execPath}" "${allows}";; esac`] : []),
    // Google's command line knows the class; firebase-tools wants the file to.
    `case "$*" in *${GCLOUD_FIRESTORE}*)`,
    '  while [ "$1" != -jar ]; do shift; done; shift 2',
    `  exec "${real}" -Duser.language=en -cp ${GCLOUD_FIRESTORE} ${FIRESTORE_CLASS} "$@";;`,
    'esac',
    `exec "${real ?? 'false'}" "$@"`,
  ];
  writeFileSync(shim, `${lines.join('\n')}\n`);
  chmodSync(shim, 0o755);
  env.PATH = `${folder}:${process.env.PATH}`;
  return { command, env, emulators, notes };
}
