// Builds and starts servers of accounts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { buildExamples, example } from '../shared/program.mjs';
import { PROJECT } from './tests.mjs';

/** A serving-mode server searches for a key first: seconds, on a busy machine. */
const START_MS = 60_000;

/** Builds the example server and says where it is. */
export function build() {
  buildExamples();
  return example('serve_accounts');
}

/** Starts a server on a free port; it ends with `stop` or with this process. */
export async function start(program, ...flags) {
  const server = spawn(program, ['--project', PROJECT, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const timer = setTimeout(() => server.kill(), START_MS);
  const [line] = await Promise.race([
    once(readline.createInterface({ input: server.stdout }), 'line'),
    once(server, 'exit').then(() => Promise.reject(new Error('the server ended before it listened'))),
  ]);
  clearTimeout(timer);
  const url = /^listening on (http:\S+)$/.exec(line)?.[1];
  if (!url) throw new Error(`the server said "${line}"`);
  return { url, stop: () => server.stdin.end() };
}
