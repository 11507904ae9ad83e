/** Exports without a browser: the command line and the callable function, of a project put in by REST. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Layout } from '../../../src/core/scene/layout.ts';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { readSave, saveFaults } from '../../../src/core/tabletop/save.ts';
import { exportProject, PROGRAM } from '../../headless.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import { RestUser } from '../../rest-user.ts';
import { BINARY, PROJECT, Server } from '../../server.ts';

const execute = promisify(execFile);
const EVE = { email: 'eve@example.com', password: 'a long enough one' };

let server: Server;
let user: RestUser;

/** A front with what vectors cannot do: a conic gradient and a colour emoji. */
function front(name: string, from: string): Layout {
  const layout = newLayout(name);
  const wheel = newZone('shape', 'wheel', 'Wheel', { x: 10, y: 40, w: 40, h: 40 });
  wheel.fill = {
    kind: 'conic',
    cx: 0.5,
    cy: 0.5,
    angle: 0,
    stops: [
      { at: 0, color: from },
      { at: 1, color: '#ffffff' },
    ],
  };
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  layout.zones = [wheel, title];
  return layout;
}

const cards = (names: readonly string[], kind: string) =>
  Object.fromEntries(
    names.map((name, order) => [
      `projects/d/components/${kind}/cards/${kind}${order}`,
      { order, copies: order === 0 ? 2 : 1, cells: { name, type: order % 2 ? 'Red' : 'Blue' } },
    ]),
  );
const columns = [
  { key: 'name', name: 'Name', type: 'text' },
  { key: 'type', name: 'Type', type: 'text' },
];

beforeAll(async () => {
  server = await Server.start();
  user = await RestUser.signUp(server.origin, EVE);
  await user.put({
    'projects/d': { name: 'Game', createdAt: 1, updatedAt: 1 },
    'projects/d/components/cards': {
      name: 'Cards',
      kind: 'cards',
      layoutId: 'blue',
      backLayoutId: 'back',
      frontBy: { column: 'type', layouts: { Red: 'red' } },
      columns,
      order: 1,
    },
    'projects/d/components/dice': { name: 'Dice', kind: 'dice', layoutId: 'face', columns, order: 2 },
    'projects/d/layouts/blue': { name: 'Blue', version: 1, scene: front('Blue', '#0000ff') },
    'projects/d/layouts/red': { name: 'Red', version: 1, scene: front('Red', '#ff0000') },
    'projects/d/layouts/back': { name: 'Back', version: 1, scene: newLayout('Back') },
    'projects/d/layouts/face': { name: 'Face', version: 1, scene: front('Face', '#00ff00') },
    ...cards(['Ash 🎲', 'Birch', 'Cedar'], 'cards'),
    ...cards(['1', '2', '3', '4', '5', '6'], 'dice'),
  });
});
afterAll(async () => {
  await server?.stop();
});

const at = (name: string) => join(server.dataDir, name);
const run = (out: string, extra: readonly string[]) => exportProject(server, EVE, 'Game', at(out), extra);
const unzip = async (name: string) => unzipSync(new Uint8Array(await readFile(at(name))));
const only = ['--component', 'Cards'];

/** Most of a colour among three that a picture shows. */
function strongest(bytes: Uint8Array): 'red' | 'green' | 'blue' {
  const { data } = PNG.sync.read(Buffer.from(bytes));
  const sums = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (data[i + c] ?? 0) * ((data[i + 3] ?? 0) / 255);
  }
  const most = sums.indexOf(Math.max(...sums));
  return (['red', 'green', 'blue'] as const)[most] ?? 'red';
}

test('PDF: effects are painted, and each card has its own layout', async () => {
  const { stderr } = await run('deck.pdf', only);
  expect(stderr).toContain('4 cards');
  await checkPdf(at('deck.pdf'));
  const text = await pdfText(at('deck.pdf'));
  for (const name of ['Ash', 'Birch', 'Cedar']) expect(text).toContain(name);
  // A picture for each wheel at least, all of them at the resolution asked for.
  const resolutions = async (name: string) => {
    const { stdout } = await execute('pdfimages', ['-list', at(name)]);
    const lines = stdout.trim().split('\n').slice(2);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    return lines.flatMap((line) => line.trim().split(/\s+/).slice(12, 14).map(Number));
  };
  // Pixels are whole: a small picture is a little finer.
  for (const dpi of await resolutions('deck.pdf')) expect(Math.abs(dpi - 604)).toBeLessThanOrEqual(4);
  await run('coarse.pdf', [...only, '--dpi', '150']);
  for (const dpi of await resolutions('coarse.pdf')) expect(Math.abs(dpi - 152)).toBeLessThanOrEqual(4);
});

test('the server’s own command makes the same files byte for byte, and says how it ended', async () => {
  const environment = { env: { ...process.env, TUCKBOX_PASSWORD: EVE.password } };
  const command = ['export-deck', 'Game', '--email', EVE.email, '--server', server.origin];
  await execute(
    BINARY,
    [...command, ...only, '--format', 'screentop', '--out', at('command.zip')],
    environment,
  );
  await run('program.zip', [...only, '--format', 'screentop']);
  expect(await unzip('command.zip')).toEqual(await unzip('program.zip'));
  await expect(
    execute(BINARY, [...command, '--format', 'gif', '--out', at('no.gif')], environment),
  ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('There is no format gif') });
});

test('PDF in parts: a ZIP of files that are sound, cut between papers', async () => {
  await run('parts.zip', ['--split-mb', '0.001']);
  const parts = Object.entries(await unzip('parts.zip'));
  expect(parts.map(([name]) => name)).toEqual(['Game 1.pdf', 'Game 2.pdf', 'Game 3.pdf']);
  for (const [name, bytes] of parts) {
    await writeFile(at(name), bytes);
    await checkPdf(at(name));
  }
  // A component whose cards have two layouts is two parts.
  expect(await pdfText(at('Game 1.pdf'))).toContain('Cedar');
  expect(await pdfText(at('Game 2.pdf'))).toContain('Birch');
  expect(await pdfText(at('Game 3.pdf'))).toContain('6');
});

test('pictures of every type, at the size asked for, transparent where the card is cut', async () => {
  await run('a.zip', [...only, '--format', 'png', '--dpi', '100', '--no-backs', '--names', '{{Name}}']);
  const files = await unzip('a.zip');
  const [ash, birch] = ['Ash', 'Birch'].map((name) =>
    Object.entries(files).find(([file]) => file.includes(name)),
  );
  const { width, height, data } = PNG.sync.read(Buffer.from(birch?.[1] ?? []));
  expect([width, height]).toEqual([250, 350]);
  expect([data[3], data[4 * (175 * 250 + 125) + 3]]).toEqual([0, 255]);
  expect([strongest(ash?.[1] ?? new Uint8Array()), strongest(birch?.[1] ?? new Uint8Array())]).toEqual([
    'blue',
    'red',
  ]);
  const magic = { webp: 'RIFF', jpeg: '\u00ff\u00d8\u00ff' };
  for (const [format, start] of Object.entries(magic)) {
    await run(`${format}.zip`, [...only, '--format', format, '--dpi', '50', '--each-copy', '--no-backs']);
    const made = Object.values(await unzip(`${format}.zip`));
    expect(made).toHaveLength(4);
    for (const bytes of made)
      expect(Buffer.from(bytes.slice(0, start.length)).toString('latin1')).toBe(start);
  }
});

test('a save of Tabletop Simulator with dice, and the sets of other tables', async () => {
  await run('tts.zip', ['--format', 'tts']);
  const files = await unzip('tts.zip');
  const save = readSave(Buffer.from(files['Game.json'] ?? []).toString('utf8'));
  expect(saveFaults(save)).toEqual([]);
  expect(save.ObjectStates.map(({ Name }) => Name).sort()).toEqual([
    'CardCustom',
    // Two of the die, for its first row says two.
    'Custom_Dice',
    'Custom_Dice',
    'DeckCustom',
  ]);
  for (const url of JSON.stringify(save).match(/https:\/\/pictures\.invalid\/[^"]+/g) ?? []) {
    expect(files[url.replace('https://pictures.invalid/', 'pictures/')]).toBeDefined();
  }
  await writeFile(at('kept.json'), JSON.stringify(save));
  await run('again.zip', ['--format', 'tts', '--update', at('kept.json')]);
  const again = readSave(Buffer.from((await unzip('again.zip'))['Game.json'] ?? []).toString('utf8'));
  expect(again.ObjectStates.map(({ GUID }) => GUID)).toEqual(save.ObjectStates.map(({ GUID }) => GUID));
  for (const format of ['tabletopia', 'screentop', 'pcio']) {
    await run(`${format}.zip`, [...only, '--format', format]);
    expect(Object.keys(await unzip(`${format}.zip`)).length).toBeGreaterThan(2);
  }
});

test('printers: canvases to the pixel, and a PDF of pages; nothing is left of what fails', async () => {
  await run('mpc.zip', [...only, '--format', 'mpc']);
  const files = Object.entries(await unzip('mpc.zip')).filter(([file]) => file.includes('fronts/'));
  expect(files).toHaveLength(4);
  for (const [, bytes] of files) {
    const { width, height } = PNG.sync.read(Buffer.from(bytes));
    expect([width, height]).toEqual([822, 1122]);
  }
  await writeFile(at('dtc.pdf'), 'what was there before');
  await expect(run('dtc.pdf', ['--format', 'dtc'])).rejects.toThrow(/name one with --component/);
  expect(await readFile(at('dtc.pdf'), 'utf8')).toBe('what was there before');
  await expect(run('x.zip', ['--format', 'mpc', '--product', 'none'])).rejects.toThrow(
    /no such product “none”/,
  );
  const left = await readdir(server.dataDir);
  expect(left.filter((name) => /unfinished|^x\.zip/.test(name))).toEqual([]);
});

test('as a function: the file is stored at an address nobody can guess, by the caller’s own rights', async () => {
  const call = async (data: object) =>
    (await user.post(`/${PROJECT}/us-central1/exportDeck`, { data })) as {
      result?: { url: string; name: string; bytes: number; pages: number };
      error?: { message: string; status: string };
    };
  const { result, error } = await call({ project: 'd', format: 'pdf', component: 'Cards' });
  expect(error).toBeUndefined();
  expect(result?.name).toBe('Game.pdf');
  const reply = await fetch(`${server.origin}${result?.url}`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  await writeFile(at('called.pdf'), Buffer.from(await reply.arrayBuffer()));
  expect(Number((await pdfInfo(at('called.pdf')))['Pages'])).toBe(result?.pages);
  expect((await fetch(`${server.origin}${result?.url.replace(/&token=.*/, '')}`)).status).toBe(403);

  expect((await call({ project: 'Nobody’s' })).error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: 'There is no project “Nobody’s”. There is: “Game”.',
  });
  expect((await call({ project: 'd', format: 'gif' })).error?.message).toMatch(
    /^The request is wrong: format/,
  );
  const nobody = await fetch(`${server.origin}/${PROJECT}/us-central1/exportDeck`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: { project: 'd' } }),
  });
  expect(nobody.status).toBe(401);
});

describe('what a caller may not have the server do', () => {
  const call = async (data: object) =>
    (await user.post(`/${PROJECT}/us-central1/exportDeck`, { data })) as {
      result?: { url: string; remarks: readonly string[] };
      error?: { message: string; status: string };
    };
  /** A project of one card, with a layout of its own. */
  const project = async (id: string, layout: Layout) => {
    await user.put({
      [`projects/${id}`]: { name: id, createdAt: 1, updatedAt: 1 },
      [`projects/${id}/components/cards`]: { name: 'Cards', kind: 'cards', layoutId: id, columns, order: 1 },
      [`projects/${id}/components/cards/cards/one`]: {
        order: 0,
        copies: 1,
        cells: { name: 'One', type: '' },
      },
      [`projects/${id}/layouts/${id}`]: { name: id, version: 1, scene: layout },
    });
    return id;
  };
  const image = (source: string): Layout => {
    const layout = newLayout('Image');
    layout.zones = [{ ...newZone('image', 'art', 'Art', { x: 0, y: 0, w: 60, h: 60 }), source }];
    return layout;
  };
  const ownFont = (url: string): Layout => {
    const layout = newLayout('Font');
    const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
    layout.zones = [{ ...title, text: 'One', style: { ...title.style, family: 'own-x' } }];
    layout.fonts = [{ family: 'own-x', name: 'Mine', url, weight: 400, italic: false }];
    return layout;
  };

  let inside: HttpServer;
  const asked: string[] = [];
  beforeAll(async () => {
    inside = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('secret');
    });
    await new Promise<void>((ready) => inside.listen(0, '127.0.0.1', ready));
  });
  afterAll(() => void inside.close());
  const address = (path: string) => `http://127.0.0.1:${(inside.address() as AddressInfo).port}${path}`;

  test('it asks no other server for pictures and fonts, and says so', async () => {
    const { result, error } = await call({ project: await project('picture', image(address('/a.png'))) });
    expect(error).toBeUndefined();
    expect(result?.remarks.join()).toContain(
      'lies on another server: exports on the server read its own files',
    );
    const font = await call({ project: await project('font', ownFont(address('/a.ttf'))) });
    expect(font.error).toMatchObject({ status: 'FAILED_PRECONDITION' });
    expect(font.error?.message).toContain('lies on another server');
    const own = await call({ project: await project('metrics', ownFont('/metrics')) });
    expect(own.error?.message).toContain('is no stored file');
    expect(asked).toEqual([]);
  });

  test('the command line asks them where it is told to', async () => {
    const command = (extra: readonly string[]) => exportProject(server, EVE, 'picture', at('o.pdf'), extra);
    expect((await command([])).stderr).toContain(
      'lies on another server: upload it, or add --outside-pictures.',
    );
    expect(asked).toEqual([]);
    await command(['--outside-pictures']);
    expect(asked).toEqual(['/a.png']);
  });

  test('a font that is none is the caller’s to mend, and writes no line of the log', async () => {
    const line = '2026-01-01T00:00:00Z  INFO all is well';
    const broken = await call({ project: await project('broken', ownFont(`/v0/b/x\n${line}`)) });
    expect(broken.error?.status).toBe('FAILED_PRECONDITION');
    const text = await call({ project: await project('text', ownFont('data:font/ttf,none')) });
    expect(text.error).toMatchObject({ status: 'FAILED_PRECONDITION' });
    expect(server.log.filter((logged) => logged.startsWith(line))).toEqual([]);
  });

  test('a small file of many pixels is not unpacked; the card says why it lacks its picture', async () => {
    const png = Buffer.alloc(64);
    png.writeUInt32BE(0x89504e47, 0);
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    const source = `data:image/png;base64,${png.toString('base64')}`;
    const { result } = await call({ project: await project('bomb', image(source)), format: 'png' });
    expect(result?.remarks.join()).toContain('has 30000 × 30000 pixels; the most is 64 megapixels');
    const vast = newLayout('vast', { preset: 'custom', w: 2_000, h: 2_000, shape: 'rect', radius: 0.1 });
    const { error } = await call({ project: await project('vast', vast), format: 'png', dpi: 200 });
    expect(error).toMatchObject({ status: 'FAILED_PRECONDITION' });
    expect(error?.message).toContain('Choose fewer dots per inch');
  });

  test('documents that an editor broke end no export', async () => {
    await user.put({
      'projects/d/components/five': { name: 'Five', kind: 'five', columns: [5] },
      'projects/d/layouts/five': { name: 'Five', scene: { zones: 5 } },
    });
    const { result, error } = await call({ project: 'Game', component: 'Cards' });
    expect(error).toBeUndefined();
    expect(result?.url).toContain('/v0/b/');
  });

  test('an export ends with the server that started it', async () => {
    // Stands for a server that is asked and never answers, and the shell for one that is killed meanwhile.
    const silent = createServer();
    const reached = new Promise((ready) => silent.once('request', ready));
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    const { port } = silent.address() as AddressInfo;
    await writeFile(at('request.json'), JSON.stringify({ project: 'Game' }));
    const command = `"$0" "$1" --call --server http://127.0.0.1:${port} < "$2" & echo $!; wait`;
    const shell = spawn('sh', ['-c', command, process.execPath, PROGRAM, at('request.json')], {
      env: { ...process.env, TUCKBOX_TOKEN: user.token },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(shell.stdout, 'data')) as [Buffer];
    await reached;
    shell.kill('SIGKILL');
    await execute('tail', ['--pid', said.toString().trim(), '-f', '/dev/null']);
    silent.closeAllConnections();
    silent.close();
  });

  test('nothing of an export is left on the disk, and what a killed server left is swept', async () => {
    const runs = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('tuckbox-export-'));
    await mkdir(join(tmpdir(), 'tuckbox-export-left-behind/tmp'), { recursive: true });
    const other = await Server.start();
    const left = async () => (await runs()).includes('tuckbox-export-left-behind');
    await expect.poll(left, { timeout: 60_000 }).toBe(false);
    await other.stop();
  });
});
