/** Exports of a deck with backs: paper, pictures, tables and printers, and what a cancelled one leaves. */

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSave, saveFaults, type TtsObject } from '../../../src/core/tabletop/save.ts';
import { undocumented } from '../../../src/core/testing/tts-format.ts';
import * as exportPage from '../../pages/export-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';
import { starforgedRows, toCsv } from '../../starforged.ts';

const execute = promisify(execFile);
const PERSON = { name: 'Eve Long', email: 'eve@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

const download = (button: string, name: string) =>
  exportPage.download(page, button, join(server.dataDir, name));
const shot = (name: string) => exportPage.shot(page, name, () => page.waitForTimeout(900));

/** Opens a group of options. */
async function open(section: string): Promise<void> {
  await page.locator('summary', { hasText: section }).first().click();
}

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('button', { name: 'New layout' }).first().click();
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Starforged');
  const list = join(server.dataDir, 'starforged_assets.csv');
  await writeFile(list, toCsv(await starforgedRows()));
  await chooseFile(page, list);
  await confirmImport(page, 87);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Export PDF' }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

test('paper: backs behind fronts, presets, ranges, and only what changed', async () => {
  await page.getByText('87 cards on 10 sheets of A4').waitFor();
  await page.locator('canvas[data-state="painted"]').waitFor();
  await shot('paper');
  const width = async () => (await page.locator('canvas[data-state="painted"]').boundingBox())?.width ?? 0;
  const whole100 = await width();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(async () => (await width()) / whole100).toBeCloseTo(1.5, 1);
  await page.getByRole('button', { name: 'Whole page' }).click();
  await expect.poll(width).toBe(whole100);
  await page.getByLabel('Backs', { exact: true }).selectOption({ index: 1 });
  await page.getByText('Page 1 of 20').waitFor();
  const whole = await download('Export PDF', 'deck.pdf');
  expect((await pdfInfo(whole))['Pages']).toBe('20');
  await checkPdf(whole);
  const text = await pdfText(whole);
  for (const [, name = ''] of await starforgedRows()) expect(text).toContain(name);

  await open('Cards');
  await page.getByLabel('Cards', { exact: true }).fill('1-3, 5x2');
  await page.getByText('5 cards on 1 sheet of A4').waitFor();
  await page.getByLabel('Cards', { exact: true }).fill('99');
  await page.getByText('There is no card 99: the last one is card 87.').waitFor();
  await page.getByLabel('Cards', { exact: true }).fill('');
  await page.getByLabel('Only what changed').selectOption('1');
  await page.getByText('No card looks different from print 1.').waitFor();
  await shot('changed');
  await page.getByRole('button', { name: 'Print all of them' }).click();
  await page.getByText('87 cards on 10 sheets of A4').waitFor();
  expect(complaints).toEqual([]);
});

const unzip = async (file: string) => unzipSync(new Uint8Array(await readFile(file)));
const target = (name: string) => page.getByRole('radiogroup', { name: 'Export to' }).getByText(name).click();

/** Names of what lies in the site's own storage. */
const leftovers = () =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('exports', { create: true });
    const names: string[] = [];
    for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys())
      names.push(name);
    return names;
  });

test('pictures: transparent corners, names from columns, the size asked for', async () => {
  await target('Pictures');
  await page.getByText('174 pictures in one ZIP').waitFor();
  await page.getByLabel('Backs too').uncheck();
  await page.getByLabel('Contact sheet').check();
  await page.getByText('90 pictures in one ZIP').waitFor();
  await shot('pictures');
  const files = await unzip(await download('Export pictures', 'pictures.zip'));
  expect(Object.keys(files)).toHaveLength(90);
  const rows = await starforgedRows();
  const [, name = ''] = rows[0] ?? [];
  const first = Object.entries(files).find(([file]) => file.includes(`_${name}_1.png`));
  const picture = PNG.sync.read(Buffer.from(first?.[1] ?? new Uint8Array()));
  // 200 % of 240 × 336 pixels.
  expect([picture.width, picture.height]).toEqual([480, 672]);
  const alpha = (x: number, y: number) => picture.data[4 * (y * picture.width + x) + 3];
  expect([alpha(0, 0), alpha(479, 671), alpha(240, 2)]).toEqual([0, 0, 255]);
});

test('cancelled or reloaded, an export leaves no file', async () => {
  await page.reload();
  await page.getByText('174 pictures in one ZIP').waitFor();
  await page.getByLabel('Size').selectOption('600');
  await page.getByRole('button', { name: 'Export pictures' }).click();
  await page.getByRole('progressbar').waitFor();
  await page.getByText(/^[1-9]\d* of 174$/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled. Nothing was saved.').waitFor();
  await expect.poll(leftovers).toEqual([]);
  await page.getByRole('button', { name: 'Export pictures' }).click();
  await page.getByText(/^[1-9]\d* of 174$/).waitFor();
  await page.reload();
  await page.getByText('174 pictures in one ZIP').waitFor();
  await page.getByText('The page was reloaded before the export was finished.').waitFor();
  await page.getByText(/^Starforged, .*\.zip was not saved\. Export it again\.$/).waitFor();
  await expect.poll(leftovers).toEqual([]);
  // It is said once.
  await page.reload();
  await page.getByText('174 pictures in one ZIP').waitFor();
  expect(await page.getByText('was not saved').count()).toBe(0);
});

test('Tabletop Simulator: every card resolves and has its row’s name; pictures under public addresses', async () => {
  await target('Virtual tables');
  await open('Names and notes');
  await page.getByLabel('Description').selectOption('Category');
  await shot('tables');
  const files = await unzip(await download('Export a ZIP', 'tts.zip'));
  const json = Object.keys(files).find((file) => file.endsWith('.json')) ?? '';
  const save = readSave(new TextDecoder().decode(files[json]));
  expect(saveFaults(save)).toEqual([]);
  const [deck] = save.ObjectStates;
  const cards = deck?.ContainedObjects ?? [];
  const rows = await starforgedRows();
  expect(cards.map(({ Nickname }) => Nickname)).toEqual(rows.map(([, name]) => name));
  expect(cards.map(({ Description }) => Description)).toEqual(rows.map(([, , category]) => category));
  const faces = new Set(
    cards.flatMap(({ CustomDeck }) => Object.values(CustomDeck ?? {}).map((one) => one.FaceURL)),
  );
  for (const url of faces) expect(files[url.replace('https://pictures.invalid/', 'pictures/')]).toBeDefined();

  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Store pictures here, save JSON' }).click();
  const file = join(server.dataDir, 'public.json');
  await (await making).saveAs(file);
  const published = readSave(await readFile(file, 'utf8'));
  expect([undocumented(save), undocumented(published)]).toEqual([[], []]);
  const sheet = Object.values((published.ObjectStates[0] as TtsObject).CustomDeck ?? {})[0];
  // Nobody is signed in here.
  for (const url of [sheet?.FaceURL ?? '', sheet?.BackURL ?? '']) {
    const reply = await fetch(url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/jpeg');
  }
  const bare = (sheet?.FaceURL ?? '').replace(/token=[^&]*/, '');
  expect((await fetch(bare)).status).toBe(403);

  // The host removes the files of an interrupted export.
  const { uid, token } = await RestUser.signIn(server.origin, PERSON);
  const project = /\/decks\/print\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const onHost = async () => {
    const query = new URLSearchParams({
      prefix: `projects/${project}/exports/${uid}/`,
      maxResults: '500',
    });
    const { hostname, pathname } = new URL(sheet?.FaceURL ?? '');
    const bucket = /^(.*\/v0\/b\/[^/]+\/o)/.exec(pathname)?.[1] ?? '';
    expect(hostname).toBe(new URL(server.origin).hostname);
    const reply = await fetch(`${server.origin}${bucket}?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return ((await reply.json()) as { items?: unknown[] }).items?.length ?? 0;
  };
  const stored = await onHost();
  expect(stored).toBe(2 * faces.size);
  await page.getByText('One a card').click();
  const store = page.getByRole('button', { name: 'Store pictures here, save JSON' });
  const underWay = page.getByRole('button', { name: /^[1-9]\d* of \d+ stored\. Cancel$/ });
  await store.click();
  await underWay.click();
  await page.getByText('Cancelled. Nothing was saved; the pictures that were stored are removed.').waitFor();
  expect(await onHost()).toBe(stored);
  await store.click();
  await underWay.waitFor();
  await page.reload();
  await page.getByText('and the pictures that were stored are removed').waitFor();
  await expect.poll(onHost).toBe(stored);

  await open('Update a save');
  await page.getByLabel('Save of Tabletop Simulator').setInputFiles(file);
  await page.getByText('87 cards stay where they are, 0 are added, 0 removed.').waitFor();
});

test('files that are no saves are refused in words, and a hostile one changes nothing of the page', async () => {
  const field = page.getByLabel('Save of Tabletop Simulator');
  const choose = (content: string) =>
    field.setInputFiles({
      name: 'save.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  const bags = (depth: number) =>
    `{"ObjectStates":[${'{"Name":"Bag","ContainedObjects":['.repeat(depth)}${']}'.repeat(depth)}]}`;
  const sheet =
    '{"FaceURL":"https://x.test/a.png","BackURL":"","NumWidth":1,"NumHeight":1,"BackIsHidden":true,"UniqueBack":false}';
  for (const [content, said] of [
    ['PK\u0003\u0004', 'That file is not JSON'],
    ['[]', 'That file is not a save of Tabletop Simulator'],
    [bags(20_000), 'too many bags within one another'],
    [
      `{"ObjectStates":[{"Name":"Deck","CustomDeck":{"${'9'.repeat(30)}":${sheet}}}]}`,
      'That file is not a save of Tabletop Simulator',
    ],
  ] as const) {
    await choose(content);
    await page.getByText(said).first().waitFor();
  }
  await choose(
    `{"SaveName":"<img src=x onerror=alert(1)>","ObjectStates":[{"Name":"Bag","Nickname":"</script><b>","States":{"__proto__":{"Name":"Card","CardID":100}},"CustomDeck":{"7":${sheet}}}]}`,
  );
  await page.getByText('That file is not').first().waitFor({ state: 'detached' });
  expect(await page.evaluate(() => 'CardID' in {})).toBe(false);
  await page.getByText('0 cards stay where they are, 87 are added, 0 removed.').waitFor();
  expect(complaints).toEqual([]);
  await field.setInputFiles(join(server.dataDir, 'public.json'));
  await page.getByText('87 cards stay where they are').waitFor();
});

test('the page in the ZIP sets the address of the pictures, without a network', async () => {
  const files = await unzip(join(server.dataDir, 'tts.zip'));
  const tool = files['set the address of the pictures.html'];
  const [name = '', json = new Uint8Array()] =
    Object.entries(files).find(([file]) => file.endsWith('.json')) ?? [];
  const alone = await browser.newPage();
  await alone.route('**/*', (route) => route.abort());
  await alone.setContent(new TextDecoder().decode(tool));
  const go = alone.getByRole('button', { name: 'Save with this address' });
  await go.click();
  await alone.getByText('Choose the saved object first.').waitFor();
  await alone
    .getByLabel(/^Saved object/)
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(json) });
  await alone.getByLabel('Address of the folder').fill('nowhere');
  await go.click();
  await alone.getByText('The address must begin with https://').waitFor();
  await alone.getByLabel('Address of the folder').fill('https://example.org/game/');
  const making = alone.waitForEvent('download');
  await go.click();
  const file = join(server.dataDir, 'set.json');
  await (await making).saveAs(file);
  const before = new TextDecoder().decode(json);
  const after = await readFile(file, 'utf8');
  expect(after).toBe(before.replaceAll('https://pictures.invalid/', 'https://example.org/game/'));
  expect(saveFaults(readSave(after))).toEqual([]);
  await alone.close();
});

test('printing houses: the canvas of the table, and what comes too near the cut', async () => {
  await target('Printing houses');
  await page.getByText('822 × 1122 pixels at 300 dots per inch').waitFor();
  await page.getByText(/All text keeps clear|Text comes too near/).waitFor();
  await shot('printers');
  await page.getByLabel('Printer').selectOption('dtc');
  const file = await download('Export a PDF', 'dtc.pdf');
  const info = await pdfInfo(file);
  expect([info['Pages'], info['Page size']]).toEqual(['174', '198 x 270 pts']);
  expect(complaints).toEqual([]);
});

test('from the command line: the same PDF without a browser', async () => {
  const file = join(server.dataDir, 'headless.pdf');
  const program = join(import.meta.dirname, '../../../dist/headless/export-deck.mjs');
  const args = ['Starforged', '--email', PERSON.email, '--server', server.origin, '--out', file];
  const run = (extra: readonly string[], password = PERSON.password) =>
    execute(process.execPath, [program, ...args, ...extra], {
      env: { ...process.env, TUCKBOX_PASSWORD: password },
    });
  await expect(run([], 'wrong')).rejects.toThrow(/E-mail address or password is wrong/);
  await expect(run(['--component', 'Nothing'])).rejects.toThrow(
    /There is no component “Nothing”\. There is: “/,
  );
  const { stderr } = await run([]);
  expect(stderr).toContain('20 pages, 87 cards');
  expect((await pdfInfo(file))['Pages']).toBe('20');
  await checkPdf(file);
  const text = await pdfText(file);
  for (const [, name = ''] of await starforgedRows()) expect(text).toContain(name);
});
