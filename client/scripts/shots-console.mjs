// Pictures of the console's pages, with and without something on them: node scripts/shots-console.mjs [--widths 1440,1024]
// [--themes light,dark] [--only users]. Starts `target/debug/tuckbox` in emulator mode, in memory, with the sample functions.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { compileSample } from '../../suites/functions/compile.mjs';
import { startTuckbox } from '../../suites/shared/program.mjs';

const { values: options } = parseArgs({
  options: {
    widths: { type: 'string', default: '1440,1024' },
    themes: { type: 'string', default: 'light,dark' },
    only: { type: 'string', default: '' },
  },
});
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const out = path.join(root, 'shots/console');
const PROJECT = 'demo-console';
const HEIGHTS = { 1440: 900, 1024: 768 };
const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /heroes/{id} {
      allow read: if request.auth.uid == resource.data.owner;
      allow write: if request.auth != null && request.resource.data.name is string;
    }
  }
}
`;

const FILE_RULES = `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /covers/{name} {
      allow read: if resource.contentType == 'image/png';
      allow write: if request.auth != null && request.resource.size < 5 * 1024 * 1024;
    }
  }
}
`;

async function startServer() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-shots-'));
  const config = {
    functions: { source: compileSample() },
    firestore: { rules: 'firestore.rules' },
    storage: { rules: 'storage.rules' },
  };
  writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'firestore.rules'), RULES);
  writeFileSync(path.join(folder, 'storage.rules'), FILE_RULES);
  const args = ['serve', '--mode', 'emulator', '--in-memory', '--project', PROJECT, '--port', '0'];
  const server = await startTuckbox(args, { cwd: folder });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { origin: server.origin, stop };
}

const long = 'A name that goes on and on, as names do before anybody cuts them down to what fits';

/** People, documents, files, mails, calls. */
async function seed(origin) {
  const send = async (url, body, headers = {}) => {
    const answer = await fetch(`${origin}${url}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    return answer.json().catch(() => ({}));
  };
  const owner = { Authorization: 'Bearer owner' };
  const accounts = '/identitytoolkit.googleapis.com/v1/accounts';
  const people = [
    { email: 'ada@example.org', displayName: 'Ada Verne' },
    { email: `${'very.'.repeat(9)}long@a-rather-long-domain.example.org`, displayName: long },
    { email: 'bo@example.org' },
  ];
  for (const person of people) {
    const body = { ...person, password: 'a long enough one', returnSecureToken: true };
    await send(`${accounts}:signUp?key=k`, body);
    await send(`${accounts}:sendOobCode?key=k`, { requestType: 'PASSWORD_RESET', email: person.email });
  }
  await send(`${accounts}:signUp?key=k`, { returnSecureToken: true });
  const documents = `/v1/projects/${PROJECT}/databases/(default)/documents`;
  const fields = {
    name: { stringValue: 'Ada' },
    owner: { stringValue: 'ann' },
    score: { integerValue: '42' },
    ratio: { doubleValue: 0.5 },
    since: { timestampValue: '2024-05-01T12:00:00Z' },
    about: { stringValue: `${long}. `.repeat(6) },
    tags: { arrayValue: { values: [{ stringValue: 'one' }, { stringValue: 'two' }] } },
    place: {
      mapValue: { fields: { city: { stringValue: 'Oslo' }, at: { geoPointValue: { latitude: 59.9 } } } },
    },
    nothing: { nullValue: null },
  };
  for (const id of ['ada', 'bo', 'an-id-that-is-as-long-as-ids-by-programs-are-0123456789abcdef']) {
    await send(`${documents}/heroes?documentId=${id}`, { fields }, owner);
  }
  for (let n = 0; n < 40; n++) {
    await send(`${documents}/things?documentId=t${n}`, { fields: { n: { integerValue: n } } }, owner);
  }
  await send(`${documents}/doomed?documentId=d`, { fields }, owner);
  await send(`${documents}/heroes/ada/items?documentId=sword`, { fields: {} }, owner);
  await fetch(`${origin}${documents}/heroes/ada`);
  const objects = `/v0/b/${PROJECT}.appspot.com/o`;
  for (const [name, type] of [
    ['covers/fox.svg', 'image/svg+xml'],
    ['covers/deep/notes.txt', 'text/plain'],
    ['readme.txt', 'text/plain'],
    [`${long}.txt`, 'text/plain'],
  ]) {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4"/></svg>';
    const url = `${objects}?uploadType=media&name=${encodeURIComponent(name)}`;
    await send(url, type.startsWith('image') ? drawing : long, { ...owner, 'Content-Type': type });
  }
  const call = (name, data) => send(`/${PROJECT}/us-central1/${name}`, { data });
  await call('echo', { hello: 'world' });
  await call('refuse', null);
  await call('break', null);
}

const server = await startServer();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const scenes = {
  documents: ['documents', 'documents/heroes/ada', 'documents/nothing'],
  users: ['users'],
  files: ['files', 'files/covers'],
  outbox: ['outbox'],
  functions: ['functions', 'functions/echo', 'functions/created'],
  rules: ['rules', 'rules?of=files'],
  requests: ['requests'],
  metrics: ['metrics'],
};

/** A row of a list, chosen, and a rule, tried. */
async function act(page, address) {
  const click = async (locator) => {
    if (await locator.count()) await locator.first().click();
  };
  if (address === 'users') await click(page.getByText('ada@example.org', { exact: true }));
  if (address === 'outbox') await click(page.getByText('ada@example.org'));
  if (address === 'files') await click(page.getByText('readme.txt'));
  if (address === 'metrics') await page.getByRole('figure').first().waitFor();
  if (address === 'requests') await click(page.getByRole('row').nth(2));
  if (address.startsWith('rules')) {
    const path = address === 'rules' ? 'heroes/ada' : 'covers/fox.svg';
    await page.getByRole('textbox', { name: /^Path of/ }).fill(path);
    await click(page.getByRole('button', { name: 'Try' }));
  }
}

async function walk(state) {
  for (const theme of options.themes.split(',')) {
    for (const width of options.widths.split(',').map(Number)) {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHTS[width] ?? 900 },
        colorScheme: theme,
      });
      const page = await context.newPage();
      for (const [name, addresses] of Object.entries(scenes)) {
        if (options.only && !options.only.split(',').includes(name)) continue;
        for (const [nth, address] of addresses.entries()) {
          if (state === 'empty' && nth > 0) continue;
          await page.goto(`${server.origin}/console/${address}`);
          await page.waitForLoadState('load');
          await page.locator('main').waitFor();
          await page.waitForTimeout(700);
          if (state === 'full')
            await act(page, address).catch((error) => console.error(address, String(error)));
          await page.waitForTimeout(500);
          await page.screenshot({
            path: path.join(out, `${name}${nth || ''}-${state}-${theme}-${width}.png`),
          });
        }
      }
      await context.close();
    }
  }
}

mkdirSync(out, { recursive: true });
try {
  await walk('empty');
  await seed(server.origin);
  await walk('full');
} finally {
  await browser.close();
  await server.stop();
}
