// Pictures of every page, light and dark, at every width, in `shots/` at the top of the repository.
//   node scripts/shots.mjs [--origin http://127.0.0.1:5000 --data .tuckbox] [--only editor] [--widths 1440,1024]
// Without an origin it starts `target/debug/tuckbox` on a folder of its own. Everything is made through the pages.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../suites/shared/chromium.mjs';
import { startTuckbox, TUCKBOX } from '../../suites/shared/program.mjs';
import { frameScenes } from './shots-of/frame.mjs';

const { values: options } = parseArgs({
  options: {
    origin: { type: 'string' },
    data: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '1440,1024,390' },
    themes: { type: 'string', default: 'light,dark' },
  },
});
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, 'shots');
const HEIGHTS = { 1440: 900, 1024: 768, 390: 844 };

const PROJECT = 'demo-tuckbox';
/** Longest wait for a page to fall silent, in milliseconds. */
const SETTLE_MS = 1_500;
/** Longest wait for cards that no scene waits for, in milliseconds. */
const PAINT_MS = 5_000;

async function startServer() {
  const data = mkdtempSync(path.join(tmpdir(), 'tuckbox-shots-'));
  const args = ['serve', '--data', data, '--host', '127.0.0.1', '--project', PROJECT, '--port'];
  let server = await startTuckbox([...args, '0'], { cwd: root });
  const { origin, port } = server;
  return {
    origin,
    data,
    async grantAdmin(email) {
      await server.stop();
      execFileSync(TUCKBOX, ['admin', '--data', data, '--project', PROJECT, 'grant', email], { cwd: root });
      server = await startTuckbox([...args, String(port)], { cwd: root });
    },
    async stop() {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The Starforged asset cards (© Shawn Tomkin, CC BY 4.0) as a CSV file. */
function cardList() {
  const file = createRequire(import.meta.url).resolve('@datasworn/starforged/json/starforged.json');
  const { assets } = JSON.parse(readFileSync(file, 'utf8'));
  const plain = (text = '') => text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  const quote = (cell) => `"${cell.replaceAll('"', '""')}"`;
  const rows = Object.values(assets).flatMap(({ contents }) =>
    Object.values(contents).map(({ name, category, color, abilities }, i) => [
      name,
      category,
      color,
      ...[0, 1, 2].map((n) => plain(abilities[n]?.text)),
      i % 9 === 0 ? '2' : '1',
    ]),
  );
  const header = ['Name', 'Category', 'Color', 'Ability 1', 'Ability 2', 'Ability 3', 'Copies'];
  return [header, ...rows].map((row) => row.map(quote).join(',')).join('\n');
}

const FAULTY = 'Name,Cost,Name,\nFox,3,x,y\nOwl,5\nBear,1,2,3,4\n';
const csv = (text, name = 'starforged_assets.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

/** Signs up, verifies, makes two projects and imports a deck; answers the addresses made. */
async function seed(page, { origin, data }) {
  const email = `ada.${Date.now()}@example.org`;
  await page.goto(`${origin}/signup`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Verne');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a good long password');
  await page.getByRole('button', { name: 'Sign up' }).click();
  const gate = page.getByRole('dialog', { name: 'Verify your e-mail address' });
  await gate.waitFor();
  await page.screenshot({ path: path.join(folder, 'gate.png') });
  const args = ['outbox', '--data', data, '--project', PROJECT, '--to', email, '--json'];
  const mail = execFileSync(TUCKBOX, args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1);
  await page.goto(JSON.parse(mail).oobLink);
  await page.getByRole('link', { name: 'Continue' }).waitFor();
  await page.screenshot({ path: path.join(folder, 'verified.png') });
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Let’s go' }).waitFor();
  await page.screenshot({ path: path.join(folder, 'welcome.png') });
  const stored = page.waitForResponse((response) => response.url().includes('documents:commit'));
  await page.getByRole('button', { name: 'Let’s go' }).click();
  await stored;
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Your first game starts here' }).waitFor();
  await page.screenshot({ path: path.join(folder, 'decks-empty.png') });
  const create = async (name, description) => {
    await page.goto(`${origin}/decks`);
    await page.getByRole('button', { name: 'New project' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'Description' }).fill(description);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name }).waitFor();
    return new URL(page.url()).pathname;
  };
  const empty = await create(
    'A project whose name goes on and on, as working titles do before anybody cuts them',
    '',
  );
  await create('Salt Road', 'Trade, debt and weather.');
  const deck = await create('Starforged assets', 'Every asset of the game, ready to cut.');
  await page.getByRole('button', { name: 'Add component' }).click();
  await page.getByLabel('CSV file').setInputFiles(csv(cardList()));
  await page.getByRole('button', { name: /^Import \d+ cards$/ }).click();
  await page.getByRole('button', { name: 'Start a layout from these columns' }).waitFor();
  await page.screenshot({ path: path.join(folder, 'deck-no-layout.png') });
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('region', { name: 'Cards', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  const editor = new URL(page.url());
  const component = editor.searchParams.get('component');
  return {
    email,
    deck,
    empty,
    editor: editor.pathname + editor.search,
    print: `/decks/print/${path.basename(deck)}/${component}`,
  };
}

const painted = (page, timeout = 30_000) =>
  page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'), undefined, { timeout });

/** Every picture: a name, an address and what to do there first. */
function scenes({ deck, empty, editor, print }) {
  return [
    { name: 'home', path: '/', signedOut: true },
    { name: 'login', path: '/login', signedOut: true },
    {
      name: 'login-error',
      path: '/login',
      signedOut: true,
      async act(page) {
        await page.getByLabel('E-mail').fill('nobody@example.org');
        await page.getByLabel('Password', { exact: true }).fill('wrong password');
        await page.getByRole('button', { name: 'Log in' }).click();
        await page.getByRole('alert').waitFor();
      },
    },
    { name: 'signup', path: '/signup', signedOut: true },
    { name: 'forgot', path: '/forgot-password', signedOut: true },
    { name: 'not-found', path: '/no/such/page', signedOut: true },
    { name: 'decks', path: '/decks', wait: (page) => page.getByRole('list', { name: 'Projects' }).waitFor() },
    {
      name: 'decks-new',
      path: '/decks',
      async act(page) {
        await page.getByRole('button', { name: 'New project' }).click();
        await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
      },
    },
    {
      name: 'decks-menu',
      path: '/decks',
      async act(page) {
        await page.getByRole('button', { name: 'More for Salt Road' }).click();
      },
    },
    { name: 'deck-empty', path: empty, wait: (page) => page.getByText('Drop a card list here').waitFor() },
    {
      name: 'deck-import-faulty',
      path: empty,
      async act(page) {
        await page.getByRole('button', { name: 'Add component' }).first().click();
        await page.getByLabel('CSV file').setInputFiles(csv(FAULTY, 'animals.csv'));
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'deck-import-preview',
      path: empty,
      async act(page) {
        await page.getByRole('button', { name: 'Add component' }).first().click();
        await page.getByLabel('CSV file').setInputFiles(csv(cardList()));
        await page.getByRole('region', { name: 'Preview' }).waitFor();
      },
    },
    {
      name: 'deck',
      path: deck,
      async act(page) {
        await page.getByRole('region', { name: 'Cards', exact: true }).waitFor();
        await painted(page);
      },
    },
    {
      name: 'deck-card',
      path: deck,
      async act(page) {
        await page.getByRole('tab', { name: 'Cards' }).click();
        await page
          .getByRole('list', { name: /^Cards/ })
          .getByRole('button', { name: /^Edit / })
          .first()
          .click();
        await page.getByRole('dialog').getByRole('img').first().waitFor();
        await painted(page);
      },
    },
    ...['Checks', 'Statistics'].map((view) => ({
      name: `deck-${view.toLowerCase()}`,
      path: deck,
      async act(page) {
        await page.getByRole('tab', { name: view }).click();
        await page.getByText(view === 'Checks' ? /to look at|cards checked/ : 'Different cards').waitFor();
      },
    })),
    {
      name: 'layouts',
      path: '/layouts',
      async act(page) {
        await page.getByRole('list', { name: 'Layouts' }).waitFor();
        await painted(page);
      },
    },
    {
      name: 'layouts-new',
      path: '/layouts',
      async act(page) {
        await page.getByRole('button', { name: 'From a template' }).first().click();
        await page.getByRole('dialog').waitFor();
        await painted(page);
      },
    },
    {
      name: 'editor',
      path: editor,
      async act(page) {
        await page.getByRole('button', { name: 'Ability 1', exact: true }).first().waitFor();
        await page.waitForTimeout(600);
      },
    },
    {
      name: 'editor-zone',
      path: editor,
      async act(page) {
        await page
          .locator('[data-zone-id]', { hasNot: page.locator('nope') })
          .nth(1)
          .click();
        await page.waitForTimeout(600);
      },
    },
    {
      name: 'print',
      path: print,
      async act(page) {
        await page.getByText(/Page 1 of/).waitFor();
        await painted(page);
      },
    },
    { name: 'account', path: '/account', wait: (page) => page.getByText('Verified').waitFor() },
  ];
}

async function take(page, scene, origin, name) {
  await page.goto(`${origin}${scene.path}`);
  // A page with live queries is never idle: this is a breath, not a condition.
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(() => undefined);
  await scene.wait?.(page);
  await scene.act?.(page);
  await page.evaluate(() => document.fonts.ready);
  await painted(page, PAINT_MS).catch(() => undefined);
  // A picture of the whole page shows what sticks to the top where the page was scrolled to.
  if (scene.full) await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(250);
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: scene.full ?? false });
  await scene.after?.(page);
}

mkdirSync(folder, { recursive: true });
const server = options.origin
  ? { origin: options.origin, data: options.data, stop: () => undefined, grantAdmin: () => undefined }
  : await startServer();
const browser = await launchChromium();
try {
  const complaints = [];
  const signedIn = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const first = await signedIn.newPage();
  const made = await seed(first, server);
  await server.grantAdmin(made.email);
  await first.evaluate(() => localStorage.clear());
  await first.goto(`${server.origin}/login`);
  await first.evaluate(() =>
    indexedDB.databases?.().then((all) => all.map(({ name }) => indexedDB.deleteDatabase(name))),
  );
  await first.goto(`${server.origin}/login`);
  await first.getByLabel('E-mail').fill(made.email);
  await first.getByLabel('Password', { exact: true }).fill('a good long password');
  await first.getByRole('button', { name: 'Log in' }).click();
  await first.getByRole('heading', { name: 'Projects' }).waitFor();
  const state = await signedIn.storageState();
  await signedIn.close();
  const wanted = [...scenes(made), ...frameScenes(made)].filter(({ name }) =>
    options.only.split(',').some((prefix) => name.startsWith(prefix)),
  );
  for (const theme of options.themes.split(',')) {
    for (const width of options.widths.split(',').map(Number)) {
      for (const scene of wanted) {
        const context = await browser.newContext({
          viewport: { width, height: HEIGHTS[width] ?? 900 },
          colorScheme: theme,
          ...(!scene.signedOut && { storageState: state }),
        });
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        page.on('pageerror', (error) => complaints.push(`${scene.name}: ${error}`));
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(`${scene.name}: ${message.text()}`);
        });
        const name = `${scene.name}-${width}-${theme}`;
        await take(page, scene, server.origin, name).catch(async (error) => {
          complaints.push(`${name}: ${String(error).split('\n')[0]}`);
          await page.screenshot({ path: path.join(folder, `${name}.png`) }).catch(() => undefined);
        });
        await context.close();
      }
    }
  }
  console.log(`${wanted.length} pages pictured in ${path.relative(process.cwd(), folder)}`);
  for (const complaint of new Set(complaints)) console.warn(complaint);
} finally {
  await browser.close();
  await server.stop();
}
