// The real server and a new account on it, for the benchmarks of the application.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTuckbox, TUCKBOX } from '../../suites/shared/program.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The server's program: `TUCKBOX_BIN`, or the debug build. */
export const SERVER = TUCKBOX;

/** Starts it on a folder of its own, serving client/dist. */
export async function startServer() {
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
  const args = ['serve', '--host', '127.0.0.1', '--port', '0', '--project', 'demo-tuckbox'];
  const { origin, stop } = await startTuckbox(args, { cwd: folder });
  return { origin, folder, stop };
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
