// Starts a server of accounts and runs tests against it, several at a time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** A serving-mode server searches for a key first: seconds, on a busy machine. */
const START_MS = 60_000;
const TEST_MS = 60_000;
const AT_ONCE = 4;

/** The project that the servers' API keys belong to. */
export const PROJECT = 'demo-auth';

/** Builds the example server and says where it is. */
export function build() {
  const cargo = spawnSync(
    'cargo',
    ['build', '--quiet', '--package', 'auth-emu', '--example', 'serve_accounts', '--message-format=json'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (cargo.status !== 0) throw new Error('cargo build --example serve_accounts failed');
  const artifacts = cargo.stdout.split('\n').filter((line) => line.startsWith('{'));
  const built = artifacts
    .map((line) => JSON.parse(line))
    .find((one) => one.target?.name === 'serve_accounts');
  if (!built?.executable) throw new Error('cargo did not say where the example server is');
  return built.executable;
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

const tests = [];

/** Declares a test. */
export function test(name, run) {
  tests.push({ name, run });
}

async function runOne({ name, run }) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${TEST_MS} ms`)), TEST_MS);
  });
  try {
    await Promise.race([run(), late]);
    return true;
  } catch (error) {
    process.stdout.write(`FAIL ${name}\n  ${String(error?.stack ?? error).replaceAll('\n', '\n  ')}\n`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs every declared test, prints failures and the counts, and says whether all passed. */
export async function runAll() {
  const queue = [...tests];
  let passed = 0;
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (await runOne(next)) passed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const failed = tests.length - passed;
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0;
}
