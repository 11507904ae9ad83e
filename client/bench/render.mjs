// Measures the card scene in Node: `node bench/render.mjs [--json FILE]`.
//   layout of the Starforged cards, layout of a reference card, a PDF of 500 cards; in a browser, the
//   reference card painted, a drag among 200 zones (painted alone, and in the real editor), and 500 thumbnails in workers with the memory they take, beside what the same machine needs for nothing.
// Each figure is the median of RUNS after one run that is thrown away.
import { browserResults } from './browser.mjs';
import { editorResults } from './editor.mjs';
import { loadSource, report } from './harness.mjs';

const RUNS = 5;
const PDF_CARDS = 500;

async function median(work) {
  await work();
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

const scene = await loadSource('scene');
const results = [];
for (const { name, unit, count, prepare } of scene.benchmarks(PDF_CARDS)) {
  const { work, size } = await prepare();
  const value = (await median(work)) / count;
  results.push({
    name,
    value: Math.round(value * 1000) / 1000,
    unit,
    ...(size ? { megabytes: Math.round(size() / 1e4) / 100 } : {}),
  });
}
results.push(...(await browserResults(scene)));
results.push(...(await editorResults()));
results.push({ name: 'peak memory', value: Math.round(process.resourceUsage().maxRSS / 1024), unit: 'MB' });

report('render', results);
