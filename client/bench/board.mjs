// Measures a board of 10,000 hexagons: `node bench/board.mjs [--json FILE]`.
//   its stored scene, its PDF in Node, the first painting in a browser, and strokes of a brush in the real editor.
import { strokeResults } from './board-editor.mjs';
import { browserResults } from './browser.mjs';
import { loadSource, report } from './harness.mjs';

const RUNS = 3;

const rounded = (value) => Math.round(value * 100) / 100;

const scene = await loadSource('scene');
const { boardLayout, sceneKilobytes, tiledText } = await loadSource('board');
const results = [{ name: 'stored scene', value: rounded(sceneKilobytes(boardLayout())), unit: 'kB' }];
const pdf = scene.benchmarks(1).find(({ name }) => name.startsWith('PDF, board'));
const { work, size } = await pdf.prepare();
const times = [];
for (let run = 0; run < RUNS; run++) {
  const start = performance.now();
  await work();
  times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
results.push({
  name: 'PDF, median',
  value: rounded(times[Math.floor(RUNS / 2)] / 1000),
  unit: 's',
  megabytes: rounded(size() / 1e6),
});
results.push(...(await browserResults(scene, 'bench/board-page.ts')));
results.push(...(await strokeResults(tiledText())));
report('board', results);
