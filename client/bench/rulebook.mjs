// Measures the flow of a rulebook of 29,000 words, 60 pictures and 60 cards in Node: `node bench/rulebook.mjs [--json FILE]`.
//   the first time, again after a letter anywhere, and its PDF.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { loadSource, report, timesRow } from './harness.mjs';

const LETTERS = 40;

const rounded = (value) => Math.round(value * 10) / 10;
/** Milliseconds that a piece of work took, those of the processor alone, and its result. */
async function timed(work) {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [performance.now() - start, result, (user + system) / 1e3];
}

/** Size of the editor as it is sent; nothing where the client has not been built. */
function editorChunk() {
  const chunks = new URL('../dist/chunks/', import.meta.url);
  if (!existsSync(chunks)) return [];
  const file = readdirSync(chunks).find((name) => /^rulebook-maker-.*\.js\.br$/.test(name));
  if (!file) return [];
  return [{ name: 'editor, brotli', value: rounded(statSync(new URL(file, chunks)).size / 1e3), unit: 'kB' }];
}

const { rulebookBench } = await loadSource('rulebook');
const bench = await rulebookBench();
const [cold, flowed, coldWork] = await timed(bench.cold);
/** Times after each of so many letters, on the clock and of the processor. */
async function afterLetters(whole) {
  const [times, works] = [[], []];
  for (const letter of bench.typing(LETTERS, whole)) {
    const [time, , work] = await timed(letter);
    times.push(time);
    works.push(work);
  }
  return [times, works];
}
const [times, works] = await afterLetters(false);
const [answers, answerWorks] = await afterLetters(true);
const [pdf, bytes, pdfWork] = await timed(() => bench.pdf(flowed));
report('rulebook', [
  { name: 'words', value: bench.words, unit: '' },
  { name: 'pictures', value: bench.pictures, unit: '' },
  { name: 'cards', value: bench.cards, unit: '' },
  { name: 'pages', value: flowed.pages.length, unit: '' },
  { name: 'passes', value: flowed.passes, unit: '' },
  { name: 'flow, the first time', value: rounded(cold), unit: 'ms' },
  { name: 'flow, the first time, processor', value: rounded(coldWork), unit: 'ms' },
  timesRow('flow after a letter', times),
  timesRow('flow after a letter, processor', works),
  timesRow('with marks and checks', answers),
  timesRow('with marks and checks, processor', answerWorks),
  { name: 'PDF', value: rounded(pdf), unit: 'ms' },
  { name: 'PDF, processor', value: rounded(pdfWork), unit: 'ms' },
  { name: 'PDF, size', value: rounded(bytes.length / 1e6), unit: 'MB' },
  ...editorChunk(),
]);
