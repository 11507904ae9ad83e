// The reference deck through protograf, an open maker of cards that is a Python package.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Between two looks at the memory. */
const SAMPLE_MS = 100;
/** It is given this long: its time grows with the square of the cards. */
const TIMEOUT_MS = 900_000;

const quoted = (cell) => `"${cell.replaceAll('"', '""')}"`;
/** It has no markup: words alone. */
const plain = (text) => text.replace(/ ?\{[^}]*\}/g, '').replaceAll('*', '');

/** Resident memory of a process, in bytes; 0 when it is gone. */
function memoryOf(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * @param python a Python that has protograf
 * @returns how long it took in milliseconds, the size of its PDF and its largest resident memory, in bytes
 */
export async function peerDeck(python, rows, images) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-peer-'));
  try {
    const lines = rows.map(({ cells: { title, rules, value0, value1 } }) =>
      [title, plain(rules), value0, value1].map(quoted).join(),
    );
    writeFileSync(path.join(folder, 'cards.csv'), ['title,rules,value0,value1', ...lines, ''].join('\n'));
    for (const [name, bytes] of images) writeFileSync(path.join(folder, path.basename(name)), bytes);
    const out = path.join(folder, 'deck.pdf');
    const script = path.join(import.meta.dirname, 'protograf_deck.py');
    const start = performance.now();
    const child = spawn(python, [script, path.join(folder, 'cards.csv'), folder, out], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, memoryOf(child.pid));
    }, SAMPLE_MS);
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    clearInterval(timer);
    const ms = performance.now() - start;
    if (code === null) throw new Error(`protograf was not done after ${TIMEOUT_MS / 1_000} s.`);
    if (code !== 0) throw new Error(`protograf failed: ${said.slice(-1_000)}`);
    return { ms, bytes: statSync(out).size, peak };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
