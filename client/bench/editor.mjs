// Drags in the real editor: a layout of 200 zones, one of them and a hundred of them moved by the pointer,
// beside the frames of an empty page and of the same editor at rest. Needs client/dist and the server's program.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { timesRow } from './harness.mjs';
import { SERVER, signUp, startServer } from './server.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ZONES = 200;
const COLUMNS = 14;
const MANY = 100;
/** Presses on one zone after another. */
const PRESSES = 40;
/** Moves of the pointer in one drag. */
const MOVES = 90;

/** A poker card of small boxes, a third of them texts, in the file format the editor imports. */
function crowd() {
  const childZones = Array.from({ length: ZONES }, (_, index) => ({
    id: `z${index}`,
    name: `Zone ${index}`,
    type: index % 3 === 0 ? 'text' : 'image',
    text: `No. ${index}`,
    style: {
      left: `${6 + (index % COLUMNS) * 16}px`,
      top: `${6 + Math.floor(index / COLUMNS) * 21}px`,
      width: '14px',
      height: '18px',
      fontSize: '5px',
      bgColor: index % 2 ? '#d8e2dc' : '#ffe5d9',
    },
  }));
  return JSON.stringify({
    name: 'Crowd',
    cardSize: 'Poker',
    versionNum: 60,
    layoutData: { id: 'root', type: 'container', style: { width: '240px', height: '336px' }, childZones },
  });
}

/** Frame times of a page while `work` runs. */
async function framesDuring(page, work) {
  await page.evaluate(() => {
    const times = [];
    let last;
    const next = (now) => {
      if (last !== undefined) times.push(now - last);
      last = now;
      if (window.frames_ === times) requestAnimationFrame(next);
    };
    window.frames_ = times;
    requestAnimationFrame(next);
  });
  await work();
  return page.evaluate(() => {
    const times = window.frames_;
    window.frames_ = undefined;
    return times;
  });
}

const result = (name, times) => timesRow(name, times, 2);

const waitFrames = (page, count) =>
  page.evaluate(
    (left) =>
      new Promise((resolve) => {
        const next = (remaining) =>
          remaining <= 0 ? resolve() : requestAnimationFrame(() => next(remaining - 1));
        next(left);
      }),
    count,
  );

async function drag(page, from) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // The first moves begin the drag; they are not counted.
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 4 });
  const times = await framesDuring(page, async () => {
    for (let move = 0; move < MOVES; move++) {
      const turn = (move / MOVES) * 2 * Math.PI;
      await page.mouse.move(from.x + 8 + 40 * Math.sin(turn), from.y + 48 - 40 * Math.cos(turn));
    }
  });
  const moved = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.closest('[data-zone-id][aria-pressed=true]') !== null,
    [from.x + 8, from.y + 8],
  );
  if (!moved) throw new Error('The drag moved nothing.');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  return times;
}

/** Times from a press on zones to the next frame that the browser paints with the answer, in milliseconds. */
async function presses(page, boxes) {
  const times = [];
  for (let index = 0; index < PRESSES; index++) {
    const zone = boxes.nth((index * 7) % ZONES);
    const { x, y } = await middleOf(zone);
    await page.mouse.move(x, y);
    await page.evaluate(() => {
      window.answer_ = new Promise((resolve) => {
        const onPress = (event) => {
          // The first frame begins before the press is painted, the second when it has been.
          requestAnimationFrame(() => requestAnimationFrame((now) => resolve(now - event.timeStamp)));
        };
        window.addEventListener('pointerdown', onPress, { capture: true, once: true });
      });
    });
    await page.mouse.down();
    times.push(await page.evaluate(() => window.answer_));
    await page.mouse.up();
    if ((await zone.getAttribute('aria-pressed')) !== 'true') throw new Error('The press selected nothing.');
  }
  return times;
}

const middleOf = async (zone) => {
  const box = await zone.boundingBox();
  if (!box) throw new Error('A zone is not to be seen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Rows of `scripts/bench render`; none, with a word about it, where something is missing. */
export async function editorResults() {
  if (!existsSync(CHROMIUM) || !existsSync(SERVER)) {
    console.warn(`DRAGS IN THE EDITOR NOT MEASURED: ${existsSync(CHROMIUM) ? SERVER : CHROMIUM} is missing.`);
    return [];
  }
  const server = await startServer();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const empty = await framesDuring(page, () => waitFrames(page, MOVES));
    await signUp(page, server);
    await page.goto(`${server.origin}/layouts`);
    await page.getByRole('button', { name: 'From a template' }).first().click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import a Dextrous layout' }).click();
    await (await choosing).setFiles({
      name: 'crowd.json',
      mimeType: 'application/json',
      buffer: Buffer.from(crowd()),
    });
    const boxes = page.getByRole('region', { name: 'Canvas' }).locator('[data-zone-id]');
    await boxes.nth(ZONES - 1).waitFor();
    const rest = await framesDuring(page, () => waitFrames(page, MOVES));
    const answers = await presses(page, boxes);
    const one = await drag(page, await middleOf(boxes.nth(30)));
    await page.mouse.click(400, 860);
    for (let index = 0; index < MANY; index++) {
      const { x, y } = await middleOf(boxes.nth(index));
      await page.keyboard.down('Shift');
      await page.mouse.click(x, y);
      await page.keyboard.up('Shift');
    }
    const chosen = await page.getByRole('region', { name: 'Canvas' }).locator('[aria-pressed=true]').count();
    if (chosen !== MANY) throw new Error(`${chosen} zones are selected, not ${MANY}.`);
    const many = await drag(page, await middleOf(boxes.nth(30)));
    return [
      result('editor: an empty page, one frame', empty),
      result(`editor: ${ZONES} zones at rest, one frame`, rest),
      result(`editor: press on 1 of ${ZONES} zones, until it is painted`, answers),
      result(`editor: drag of 1 of ${ZONES} zones, one frame`, one),
      result(`editor: drag of ${MANY} of ${ZONES} zones, one frame`, many),
    ];
  } finally {
    await browser.close();
    server.stop();
  }
}
