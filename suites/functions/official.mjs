// The official suite (firebase-tools) on this machine: its command, the environment it needs, and what it lacks.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Java that firebase-tools takes, for the newest programs it downloads. */
const WANTED_JAVA = 21;
/** The oldest that runs the programs Google's command line brings. */
const OLDEST_JAVA = 11;
/** Java installations of Debian and others. */
const JAVA_HOMES = '/usr/lib/jvm';
/** Google's command line, which has the same programs. */
const GCLOUD = '/usr/lib/google-cloud-sdk/platform';
const GCLOUD_FIRESTORE = `${GCLOUD}/cloud-firestore-emulator/cloud-firestore-emulator.jar`;
const GCLOUD_PUBSUB = `${GCLOUD}/pubsub-emulator/bin/cloud-pubsub-emulator`;

/** Main class of the Firestore emulator. */
const FIRESTORE_CLASS = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';

const version = (java) => {
  try {
    const said = execFileSync(java, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return Number(/^\S+ (\d+)/.exec(said)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** The program called java, by its full name, since another takes its place below. */
function usualJava() {
  try {
    return execFileSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).trim();
  } catch {
    return 'java';
  }
}

/** The newest Java here, if it is new enough for something. */
function java() {
  const homes = existsSync(JAVA_HOMES) ? readdirSync(JAVA_HOMES) : [];
  const found = [...homes.map((home) => path.join(JAVA_HOMES, home, 'bin/java')), usualJava()]
    .map((program) => ({ program, version: version(program) }))
    .sort((a, b) => b.version - a.version)[0];
  return found && found.version >= OLDEST_JAVA ? found : undefined;
}

/** The newest program of this name that firebase-tools has downloaded. */
function downloaded(name) {
  const cache = process.env.FIREBASE_EMULATORS_PATH ?? path.join(homedir(), '.cache/firebase/emulators');
  const found = existsSync(cache) ? readdirSync(cache).filter((file) => file.startsWith(name)) : [];
  return found.length > 0 ? path.join(cache, found.sort().at(-1)) : undefined;
}

/**
 * Everything needed to run it: `command`, `env`, the emulators there are, and `notes` on what is unusual. `folder`
 * takes generated files; the caller removes it.
 */
export function officialSuite(folder) {
  const command = process.env.FIREBASE_TOOLS;
  if (!command) throw new Error('FIREBASE_TOOLS must name the command of firebase-tools');
  const notes = [];
  const env = { ...process.env, CI: '1', NO_UPDATE_NOTIFIER: '1' };
  const emulators = ['functions', 'auth', 'eventarc', 'tasks'];
  const real = java();
  // firebase-tools asks for the Java of the programs it would download itself; the older ones here are content with less.
  const enough = real !== undefined && real.version >= WANTED_JAVA;
  const jar = (enough ? downloaded('cloud-firestore-emulator-') : undefined) ?? GCLOUD_FIRESTORE;
  if (real && existsSync(jar)) {
    emulators.push('firestore');
    env.FIRESTORE_EMULATOR_BINARY_PATH = jar;
    if (!enough)
      notes.push(
        `its emulators run under Java ${real.version}; firebase-tools wants ${WANTED_JAVA} and is told so`,
      );
  } else {
    notes.push(`firestore is left out: ${real ? 'its program is not here' : `needs Java ${WANTED_JAVA}`}`);
  }
  const pubsub = enough && downloaded('pubsub-emulator-') !== undefined;
  if (pubsub || (real && existsSync(GCLOUD_PUBSUB))) {
    emulators.push('pubsub');
    if (!pubsub) env.PUBSUB_EMULATOR_BINARY_PATH = GCLOUD_PUBSUB;
  } else {
    notes.push(`pubsub is left out: ${real ? 'its program is not here' : `needs Java ${WANTED_JAVA}`}`);
  }
  emulators.push('storage');
  const rules = downloaded('cloud-storage-rules-runtime-');
  const standIn = !enough || !rules;
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
    ...(enough
      ? []
      : [`case "$*" in *' -version') echo 'openjdk version "${WANTED_JAVA}.0.0"' >&2; exit 0;; esac`]),
    ...(standIn ? [`case "$*" in *rules-runtime*) exec "${process.execPath}" "${allows}";; esac`] : []),
    // Google's command line knows the class; firebase-tools wants the file to.
    `case "$*" in *${GCLOUD_FIRESTORE}*)`,
    '  while [ "$1" != -jar ]; do shift; done; shift 2',
    `  exec "${real?.program}" -Duser.language=en -cp ${GCLOUD_FIRESTORE} ${FIRESTORE_CLASS} "$@";;`,
    'esac',
    `exec "${real?.program ?? 'false'}" "$@"`,
  ];
  writeFileSync(shim, `${lines.join('\n')}\n`);
  chmodSync(shim, 0o755);
  env.PATH = `${folder}:${process.env.PATH}`;
  return { command, env, emulators, notes };
}
