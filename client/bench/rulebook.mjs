// Measures the flow of a rulebook of 29,000 words in Node: `node bench/rulebook.mjs [--json FILE]`.
//   the first time, again after a letter anywhere, and its PDF.
import { loadSource, report } from './harness.mjs';

const LETTERS = 40;

const rounded = (value) => Math.round(value * 10) / 10;
async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

const { rulebookBench } = await loadSource('rulebook');
const bench = await rulebookBench();
const [cold, flowed] = await timed(bench.cold);
const times = [];
for (const work of bench.typing(LETTERS)) times.push((await timed(work))[0]);
times.sort((a, b) => a - b);
const [pdf, bytes] = await timed(() => bench.pdf(flowed));
report('rulebook', [
  { name: 'words', value: bench.words, unit: '' },
  { name: 'pages', value: flowed.pages.length, unit: '' },
  { name: 'passes', value: flowed.passes, unit: '' },
  { name: 'flow, the first time', value: rounded(cold), unit: 'ms' },
  { name: 'flow after a letter, median', value: rounded(times[LETTERS / 2]), unit: 'ms' },
  { name: 'flow after a letter, 95 %', value: rounded(times[Math.floor(LETTERS * 0.95)]), unit: 'ms' },
  { name: 'PDF', value: rounded(pdf), unit: 'ms' },
  { name: 'PDF, size', value: rounded(bytes.length / 1e6), unit: 'MB' },
]);
