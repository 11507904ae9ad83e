// Measures painting in a browser: bench/page.ts, run by `node bench/render.mjs`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { harfbuzzWasm } from '../build/harfbuzz.mjs';
import { readFace } from '../scripts/fonts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const base64 = (bytes) => (bytes ? Buffer.from(bytes).toString('base64') : null);

/** @param scene the bundled `bench/scene.ts`, for its pictures and faces */
export async function browserResults(scene) {
  if (!existsSync(CHROMIUM)) {
    console.warn(`PAINTING NOT MEASURED: ${CHROMIUM} is missing.`);
    return [];
  }
  const bundle = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['bench/page.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [harfbuzzWasm],
    loader: { '.wasm': 'dataurl' },
    logLevel: 'warning',
  });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    await page.exposeFunction('readBase64', async (kind, name) => {
      if (kind === 'image') return base64(scene.pictures.get(name));
      const face = scene.findFace(name);
      return face ? base64(await readFace(face)) : null;
    });
    await page.setContent('<!doctype html><title>bench</title>');
    await page.addScriptTag({ type: 'module', content: bundle.outputFiles[0].text });
    await page.waitForFunction(() => 'bench' in window);
    const results = await page.evaluate(() => window.bench());
    return Object.entries(results).map(([name, { p50, p95, unit }]) => ({ name, value: p50, unit, p95 }));
  } finally {
    await browser.close();
  }
}
