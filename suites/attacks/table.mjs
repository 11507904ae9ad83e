// The table of attacks, checked and run by parts: `node suites/attacks/table.mjs` fails if a test that it names is gone;
// `--nextest` prints the filter of the tests in Rust, `--vitest` the files of those of the client.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT } from '../shared/program.mjs';
import { TABLE } from './phrases.mjs';
import { POINTS, TRUST } from './trust.mjs';

const beside = TABLE.flatMap(({ phrase, beside: tests = [] }) =>
  tests.map(([file, name]) => ({ phrase, file, name })),
);

/** @throws where a phrase has no test, or one whose file or name is gone */
export function checkTable() {
  for (const { phrase, within, beside: tests = [] } of TABLE) {
    assert.ok(!within || tests.length > 0, `nothing tries “${phrase}”`);
  }
  for (const { phrase, file, name } of beside) {
    const text = readFileSync(resolve(ROOT, file), 'utf8');
    const found = file.endsWith('.rs') ? text.includes(`fn ${name}(`) : text.includes(name);
    assert.ok(found, `“${phrase}”: ${file} has no test “${name}”`);
  }
  for (const point of POINTS) {
    assert.ok(
      TRUST.some((row) => row.point === point),
      `no phrase proves point ${point}`,
    );
  }
  assert.equal(new Set(TABLE.map(({ phrase }) => phrase)).size, TABLE.length, 'a phrase is there twice');
}

/** Names of the tests in Rust, as a filter of nextest. */
function nextest() {
  const names = beside.filter(({ file }) => file.endsWith('.rs')).map(({ name }) => `test(/(^|::)${name}$/)`);
  return [...new Set(names)].join(' | ');
}

/** Files of the client's tests, below its folder; those in a browser are run by their own stage. */
function vitest() {
  const files = beside.map(({ file }) => file).filter((file) => /^client\/src\/.*\.tsx?$/.test(file));
  return [...new Set(files)].map((file) => file.slice('client/'.length)).join('\n');
}

if (process.argv[1] === import.meta.filename) {
  checkTable();
  const [what] = process.argv.slice(2);
  if (what === '--nextest') console.log(nextest());
  else if (what === '--vitest') console.log(vitest());
  else {
    for (const { phrase, from, within, beside: tests = [] } of TABLE) {
      console.log(`${phrase}\n  ${within ? '' : 'this suite, '}${from}`);
      for (const [file, name] of tests) console.log(`  ${file}: ${name}`);
    }
  }
}
