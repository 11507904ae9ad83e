// 2,000 pieces on a playtest table in the real page, without a graphics card: panning over them, one that is dragged, and
// zooming.
// `node bench/table-paint.mjs [--json FILE] [--pieces 2000] [--width 1600] [--height 900] [--slowdown 1]`
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { clock, report, timesRow } from './harness.mjs';
import { SERVER, startServer } from './server.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    pieces: { type: 'string', default: '2000' },
    width: { type: 'string', default: '1600' },
    height: { type: 'string', default: '900' },
    slowdown: { type: 'string', default: '1' },
  },
});
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Hands, pile and discard of the sample game are pieces too. */
const BESIDE = 36;
const PIECES = Number(options.pieces) - BESIDE;
/** Steps of a button at most. */
const STEPS = 60;
/** Frames of each measurement, after those in which the browser compiles the code. */
const [FRAMES, WARM_UP] = [120, 30];
/** Width and height of a place on the grid of pieces, in tenths of a millimetre. */
const [CELL_W, CELL_H] = [670, 920];
/** A step of the wheel in each frame of a zoom. */
const ZOOM_PX = 12;
const PROJECT = 'demo-tuckbox';

async function post(url, body, token) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${url}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A sample table whose host has laid its pieces out in rows, face up. */
async function laidOut(origin) {
  const call = async (name, data, token) =>
    (await post(`${origin}/us-central1-${PROJECT}/${name}`, { data }, token)).result;
  const { table } = await call('openSampleTable', {});
  const { token: custom } = await call('joinSampleTable', { table });
  const url = `${origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=tuckbox-${PROJECT}`;
  const { idToken } = await post(url, { token: custom, returnSecureToken: true });
  const act = async (one) => {
    for (;;) {
      const { messages } = await call('actAtTable', { table, act: one }, idToken);
      const refused = messages.find(({ no }) => no !== undefined);
      if (!refused) return;
      if (refused.code !== 'rate') throw new Error(refused.say);
      await new Promise((done) => setTimeout(done, 200));
    }
  };
  const columns = Math.ceil(Math.sqrt((PIECES * CELL_H * 16) / (CELL_W * 9)));
  const place = (nth) => {
    const rows = Math.ceil(PIECES / columns);
    const x = Math.round(((nth % columns) - (columns - 1) / 2) * CELL_W);
    const y = Math.round((Math.floor(nth / columns) - (rows - 1) / 2) * CELL_H);
    const to = { at: { surface: 0, x, y } };
    return { do: 'place', place: { pieces: { definition: nth % 24, copies: 1 } }, to, face: 'up' };
  };
  for (let from = 0; from < PIECES; from += STEPS) {
    const steps = Array.from({ length: Math.min(STEPS, PIECES - from) }, (_, at) => place(from + at));
    await act({ verb: 'edit', edit: { button: { name: 'Lay', button: { steps } } } });
    await act({ verb: 'run', button: 'Lay', numbers: [] });
  }
  return table;
}

const nextFrame = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame((at) => done(at))));

/** Script of each frame while something moves, then the time between frames of the page's own clock. */
async function measured(page, session, name, step) {
  const scripts = [];
  for (let frame = 0; frame < WARM_UP + FRAMES; frame++) {
    const before = await clock(session);
    await step(frame);
    await nextFrame(page);
    if (frame >= WARM_UP) scripts.push((await clock(session)).script - before.script);
  }
  await page.evaluate(() => {
    const times = [];
    globalThis.benchFrames = times;
    const note = (at) => {
      times.push(at);
      globalThis.benchRuns = requestAnimationFrame(note);
    };
    globalThis.benchRuns = requestAnimationFrame(note);
  });
  for (let frame = 0; frame < FRAMES; frame++) {
    await step(frame);
    await new Promise((done) => setTimeout(done, 8));
  }
  const times = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.benchRuns);
    return globalThis.benchFrames;
  });
  const between = times.slice(1).map((at, index) => at - times[index]);
  return [timesRow(`${name}: script of a frame`, scripts), timesRow(`${name}: from frame to frame`, between)];
}

async function paintResults() {
  for (const needed of [CHROMIUM, SERVER]) {
    if (!existsSync(needed)) throw new Error(`${needed} is missing.`);
  }
  const server = await startServer();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  try {
    const table = await laidOut(server.origin);
    const context = await browser.newContext({
      viewport: { width: Number(options.width), height: Number(options.height) },
    });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    await page.goto(`${server.origin}/playtesting/sample/${table}`);
    const felt = page.getByRole('application', { name: 'Table' });
    await felt.waitFor();
    const box = await felt.boundingBox();
    await felt.focus();
    // Two steps nearer than the whole table: about half of it is in view.
    await page.keyboard.press('0');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.waitForLoadState('networkidle');
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slowdown) });
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.keyboard.down('Space');
    await page.mouse.down();
    const panned = await measured(page, session, `${options.pieces} pieces, panning`, (frame) =>
      page.mouse.move(x + 180 * Math.sin(frame / 9), y + 120 * Math.cos(frame / 7)),
    );
    await page.mouse.up();
    await page.keyboard.up('Space');
    await page.mouse.move(x, y);
    await page.mouse.down();
    const dragged = await measured(page, session, `${options.pieces} pieces, dragging one`, (frame) =>
      page.mouse.move(x + 20 + 180 * Math.sin(frame / 9), y + 20 + 120 * Math.cos(frame / 7)),
    );
    await page.mouse.up();
    // Nearer and farther again, as a touch pad says it.
    await page.mouse.move(x, y);
    const zoomed = await measured(page, session, `${options.pieces} pieces, zooming`, (frame) =>
      page.mouse.wheel(0, frame % 40 < 20 ? -ZOOM_PX : ZOOM_PX),
    );
    return [...panned, ...dragged, ...zoomed];
  } finally {
    await browser.close();
    server.stop();
  }
}

report('table-paint', await paintResults());
