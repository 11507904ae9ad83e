import { layout as layCard } from '../src/core/layout/card.ts';
import type { Row } from '../src/core/scene/card/row.ts';
import type { Layout } from '../src/core/scene/layout.ts';
import { newLayout } from '../src/core/scene/new-layout.ts';
import { newZone } from '../src/core/scene/zones.ts';
import { referenceLayout, referenceRows } from '../src/core/testing/reference.ts';
import { canvasSize } from '../src/render/canvas/canvas.ts';
import { RenderContext } from '../src/render/render-context.ts';
import { createRenderer } from '../src/workers/painting/renderer.ts';

/**
 * Benchmarks that `bench/browser.mjs` runs in a browser. Every figure stands beside a baseline of the same run: an
 * empty page's frame and a fixed canvas workload, because the machine is shared and slow hours differ.
 */
declare global {
  interface Window {
    readBase64(kind: 'face' | 'image', name: string): Promise<string | null>;
    /** Resident memory of this page's process in megabytes. */
    memory(): Promise<number>;
    bench(images: readonly string[]): Promise<Record<string, Timing>>;
  }
}

export interface Timing {
  readonly p50: number;
  /** Left out where there is only one measurement. */
  readonly p95?: number;
  readonly unit: string;
}

const CARD_PX = 522;
const CARDS = 60;
const ZONES = 200;
const FRAMES = 60;
const THUMBNAILS = 500;
const THUMBNAIL_PX = 240;
/** Thumbnails asked for at a time: about what a grid shows. */
const LANES = 12;

async function read(kind: 'face' | 'image', name: string): Promise<Uint8Array | undefined> {
  const text = await window.readBase64(kind, name);
  return text === null ? undefined : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function timing(times: number[], unit = 'ms'): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 100) / 100;
  return { p50: at(0.5), p95: at(0.95), unit };
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Frames of a page that does nothing but `work` in each. */
async function frames(work: (frame: number) => void): Promise<Timing> {
  const times: number[] = [];
  let last = await nextFrame();
  for (let frame = 0; frame < FRAMES; frame++) {
    work(frame);
    const now = await nextFrame();
    times.push(now - last);
    last = now;
  }
  return timing(times);
}

function context(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  document.body.append(canvas);
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas');
  return ctx;
}

/** A thousand filled circles with a gradient: nothing of ours. */
function fixedWork(ctx: CanvasRenderingContext2D): void {
  for (let index = 0; index < 1_000; index++) {
    const gradient = ctx.createRadialGradient(200, 200, 0, 200, 200, 100);
    gradient.addColorStop(0, '#ffffff');
    gradient.addColorStop(1, `hsl(${index % 360} 60% 50%)`);
    ctx.fillStyle = gradient;
    ctx.beginPath();
    ctx.arc((index * 37) % 500, (index * 53) % 700, 30, 0, 7);
    ctx.fill();
  }
  ctx.getImageData(0, 0, 1, 1);
}

/** A layout of many small zones, a third of them texts. */
function crowd(): Layout {
  const layout = newLayout('Crowd');
  layout.zones = Array.from({ length: ZONES }, (_, index) => {
    const box = { x: (index % 14) * 4.4, y: Math.floor(index / 14) * 5.8, w: 4, h: 5 };
    if (index % 3 > 0)
      return {
        ...newZone('shape', `s${index}`, 'S', box),
        radius: [1, 1, 1, 1] as [number, number, number, number],
      };
    const text = newZone('text', `t${index}`, 'T', box);
    return { ...text, text: `No. ${index}`, style: { ...text.style, size: 5 } };
  });
  return layout;
}

window.bench = async (images) => {
  const results: Record<string, Timing> = {};
  const renderContext = new RenderContext(
    async (face) => (await read('face', face.id)) ?? new Uint8Array(),
    (source) => read('image', source),
  );
  const work = context(500, 700);
  fixedWork(work);
  results['baseline: empty page, one frame'] = await frames(() => undefined);
  results['baseline: 1,000 gradient circles'] = timing(
    Array.from({ length: 15 }, () => {
      const start = performance.now();
      fixedWork(work);
      return performance.now() - start;
    }),
  );

  const reference = referenceLayout();
  const rows = referenceRows(CARDS);
  const first = await renderContext.layOut(reference, rows[0] ?? { cells: {} });
  for (const row of rows) await renderContext.layOut(reference, row);
  await renderContext.decode(first);
  const scale = CARD_PX / reference.size.w;
  const size = canvasSize(first, scale);
  const ctx = context(size.width, size.height);
  const card = (row: Row): [number, number] => {
    const start = performance.now();
    const list = layCard(reference, row, renderContext.assets([]));
    const laid = performance.now();
    ctx.clearRect(0, 0, size.width, size.height);
    renderContext.paintNow(ctx, list, { scale });
    // Reading a pixel makes the canvas finish its work.
    ctx.getImageData(0, 0, 1, 1);
    return [laid - start, performance.now() - laid];
  };
  for (const row of rows) card(row);
  const times = rows.map(card);
  results[`reference card, layout`] = timing(times.map(([laid]) => laid));
  results[`reference card at ${CARD_PX} px, paint`] = timing(times.map(([, painted]) => painted));
  results[`reference card at ${CARD_PX} px, layout and paint`] = timing(times.map(([a, b]) => a + b));

  const many = crowd();
  await renderContext.layOut(many, { cells: {} });
  for (const moved of [1, 100]) {
    results[`drag ${moved} of ${ZONES} zones, one frame`] = await frames((frame) => {
      const zones = many.zones.map((zone, index) =>
        index < moved ? { ...zone, x: zone.x + frame / 10 } : zone,
      );
      const list = layCard({ ...many, zones }, { cells: {} }, renderContext.assets([]));
      ctx.clearRect(0, 0, size.width, size.height);
      renderContext.paintNow(ctx, list, { scale });
    });
  }
  Object.assign(results, await thumbnails(images));
  return results;
};

/** Cards painted by the application's own workers, as its grids do. */
async function thumbnails(names: readonly string[]): Promise<Record<string, Timing>> {
  const images = new Map<string, Blob>();
  for (const name of names) {
    const bytes = await read('image', name);
    if (bytes) images.set(name, new Blob([bytes as Uint8Array<ArrayBuffer>]));
  }
  const renderer = createRenderer();
  const layout = referenceLayout();
  const pxPerMm = THUMBNAIL_PX / layout.size.w;
  const paint = async (rows: readonly Row[]): Promise<number[]> => {
    const waits: number[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let row = rows[next++]; row; row = rows[next++]) {
        const start = performance.now();
        (await renderer.renderCard(layout, row, { pxPerMm, images, clipToTrim: true })).close();
        waits.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return waits;
  };
  await paint(referenceRows(10));
  const before = await window.memory();
  const start = performance.now();
  const waits = await paint(referenceRows(THUMBNAILS));
  const whole = performance.now() - start;
  let longest = 0;
  let last = performance.now();
  let counting = true;
  const tick = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (counting) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  await paint(referenceRows(THUMBNAILS * 2));
  counting = false;
  const after = await window.memory();
  renderer.dispose();
  const one = (value: number, unit: string): Timing => ({ p50: Math.round(value * 100) / 100, unit });
  return {
    [`thumbnail in a worker, ${THUMBNAILS} cards`]: one(whole / THUMBNAILS, 'ms/card'),
    'thumbnail, from asking to having': timing(waits),
    'longest frame of the page meanwhile': one(longest, 'ms'),
    'memory of the page before them': one(before, 'MB'),
    [`memory of the page after ${THUMBNAILS * 3} cards`]: one(after, 'MB'),
  };
}
