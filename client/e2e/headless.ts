/** The program that exports projects without a browser, run by Node. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Server } from './server.ts';

const execute = promisify(execFile);

export const PROGRAM = join(import.meta.dirname, '../dist/headless/export-deck.mjs');

/** Exports a project, by its name or id, to the file `out`; resolves with what the program said. */
export const exportProject = (
  { origin }: Server,
  { email, password }: { readonly email: string; readonly password: string },
  project: string,
  out: string,
  extra: readonly string[] = [],
) =>
  execute(
    process.execPath,
    [PROGRAM, project, '--email', email, '--server', origin, '--out', out, ...extra],
    { env: { ...process.env, TUCKBOX_PASSWORD: password } },
  );
