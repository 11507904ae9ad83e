/** Rules tried out by the server: what is asked of them, and what came of it. */

import { parseFields } from '../documents/values.ts';
import type { Trace } from '../requests/denial-trace.tsx';
import { ask, database, emulator, words } from '../server/server.ts';
import type { Report } from './report.ts';

/** Services guarded by rules. */
export type Guarded = 'firestore' | 'storage';

export const METHODS = ['get', 'list', 'create', 'update', 'delete'] as const;

export type Method = (typeof METHODS)[number];

/** Something wrong with rules, or doubtful. */
export interface Issue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: string;
}

/** Result of a trial. */
export interface Outcome {
  readonly allowed?: boolean;
  readonly note?: string;
  readonly trace?: Trace | null;
  readonly report?: Report;
  readonly read?: readonly string[];
  readonly issues: readonly Issue[];
}

/** A request to try, as it is typed. */
export interface Trial {
  readonly method: Method;
  readonly path: string;
  readonly uid: string;
  readonly claims: string;
  /** The document's fields as they would be; the file's metadata and size. */
  readonly data: string;
  /** The same as they are; empty for what is stored. */
  readonly existing: string;
}

/** True if the method produces a document or file that rules can inspect. */
export const writes = (method: Method) => method === 'create' || method === 'update';

/** Name of each kind of rules, the things it guards, and initial rules where there are none. */
export const KINDS: Record<Guarded, { file: string; thing: string; group: string; first: string }> = {
  firestore: {
    file: 'firestore.rules',
    thing: 'document',
    group: 'collection',
    first: `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid}/{document=**} {
      allow read, write: if request.auth.uid == uid;
    }
  }
}
`,
  },
  storage: {
    file: 'storage.rules',
    thing: 'file',
    group: 'folder',
    first: `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /users/{uid}/{file=**} {
      allow read, write: if request.auth.uid == uid;
    }
  }
}
`,
  },
};

/** Reads what was typed as JSON; failures say where it was typed. */
function read<T>(what: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${what}: ${words(error)}`);
  }
}

/** Asks the server what rules would say to a request. */
export async function attempt(guarded: Guarded, rules: string, trial: Trial): Promise<Outcome> {
  const { thing } = KINDS[guarded];
  const json = (text: string): unknown => JSON.parse(text);
  const content = (text: string) =>
    guarded === 'firestore' ? parseFields(text, database('(default)').root) : json(text);
  const uid = trial.uid.trim();
  const token = uid === '' ? undefined : read('Further claims', trial.claims || '{}', json);
  return ask<Outcome>(emulator('rules/try'), {
    json: {
      service: guarded,
      rules,
      method: trial.method,
      path: trial.path,
      ...(uid !== '' && { auth: { uid, token } }),
      ...(writes(trial.method) && {
        data: read(`The ${thing} as it would be`, trial.data || '{}', content),
      }),
      ...(trial.existing.trim() !== '' && {
        existing: read(`The ${thing} as it is`, trial.existing, content),
      }),
    },
  });
}
