// The real server and a new account on it, for the benchmarks of the application.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The server's program: `TUCKBOX_BIN`, or the debug build. */
export const SERVER = process.env.TUCKBOX_BIN ?? path.join(root, 'target/debug/tuckbox');

/** Starts it on a folder of its own, serving client/dist. */
export function startServer() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-bench-'));
  writeFileSync(
    path.join(folder, 'firebase.json'),
    JSON.stringify({
      hosting: {
        public: path.join(root, 'client/dist'),
        rewrites: [{ source: '**', destination: '/index.html' }],
      },
    }),
  );
  const child = spawn(SERVER, ['serve', '--host', '127.0.0.1', '--port', '0', '--project', 'demo-tuckbox'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`tuckbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^Tuckbox is ready: (http:\/\/\S+?)\/?$/.exec(line)?.[1];
      if (url) resolve({ origin: url, folder, stop: () => child.kill('SIGTERM') });
    });
  });
}

/** The link in the newest mail of a server that was started in `folder`. */
function newestLink(folder) {
  const args = ['outbox', '--project', 'demo-tuckbox', '--json'];
  const lines = execFileSync(SERVER, args, { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  return JSON.parse(lines.at(-1)).oobLink;
}

/** A new account that has seen the welcome. */
export async function signUp(page, { origin, folder }) {
  await page.goto(`${origin}/signup`);
  await page.getByLabel('Name').fill('Ada Verne');
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill('a good long password');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('dialog', { name: 'Verify your e-mail address' }).waitFor();
  await page.goto(newestLink(folder));
  await page.getByRole('link', { name: 'Continue' }).click();
  // It must be stored that the welcome was read: the next page would show it again, over its buttons.
  const stored = page.waitForResponse((response) => response.url().includes('documents:commit'));
  await page.getByRole('button', { name: 'Let’s go' }).click();
  await stored;
  await page.getByRole('dialog', { name: 'Welcome to Tuckbox' }).waitFor({ state: 'detached' });
}
