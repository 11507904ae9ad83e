/** The counts that test runners print at their end: jest, vitest, mocha, tape, node and pytest. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character.
const COLOURS = /\x1b\[[0-9;]*m/g;

const number = (line, word) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);

/** Each runner's lines, and the passed and failed tests that one of them counts. */
const LINES = [
  // jest: `Tests:       1 failed, 2 skipped, 20 passed, 23 total`; vitest: `Tests  1 failed | 20 passed (21)`.
  { line: /^\s*Tests:? {2,}.*$/gm, read: (line) => [number(line, 'passed'), number(line, 'failed')] },
  // mocha: `  20 passing (3s)` and `  1 failing`.
  { line: /^\s*\d+ passing\b.*$/gm, read: (line) => [number(line, 'passing'), 0] },
  { line: /^\s*\d+ failing\b.*$/gm, read: (line) => [0, number(line, 'failing')] },
  // tape and node: `# pass  20` and `# fail 1`.
  { line: /^# pass +\d+\s*$/gm, read: (line) => [Number(/\d+/.exec(line)?.[0]), 0] },
  { line: /^# fail +\d+\s*$/gm, read: (line) => [0, Number(/\d+/.exec(line)?.[0])] },
  // pytest: `4 failed, 123 passed, 108 skipped in 11.43s`.
  {
    line: /^=* ?\d+ (?:failed|passed|skipped).* in [\d.]+s.*$/gm,
    read: (line) => [number(line, 'passed'), number(line, 'failed') + number(line, 'errors?')],
  },
];

/** Files of which jest or vitest say that they failed: `Test Suites: 1 failed, 2 total`, `Test Files  4 failed | 7 passed`. */
const FILES = /^\s*Test (?:Suites:|Files) .*$/gm;

/** Tests that passed and failed according to the output of one or several runners, and files that failed. */
export function counts(output) {
  const text = output.replace(COLOURS, '');
  let files = 0;
  for (const [found] of text.matchAll(FILES)) files += number(found, 'failed');
  let passed = 0;
  let failed = 0;
  for (const { line, read } of LINES) {
    for (const [found] of text.matchAll(line)) {
      const [p, f] = read(found);
      passed += p;
      failed += f;
    }
  }
  return { passed, failed, files };
}
