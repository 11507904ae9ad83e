// Compares our evaluator of security rules with Google's Firestore emulator: verdicts on generated cases, and
// verdicts and values on every row of docstore/rules/tests/tables. Run from anywhere: `node suites/rules/differential.mjs`.
// `--required` makes a missing emulator a failure; `--verbose` prints messages that differ.
import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';

import { eachAtOnce } from '../shared/at-once.mjs';
import { buildExamples, example } from '../shared/program.mjs';
import { generatedCases, tableCases } from './corpus.mjs';
import { deliberate } from './differences.mjs';
import { Emulator } from './emulator.mjs';

const PER_FAMILY = 200;
const AT_ONCE = 8;
const root = new URL('../../', import.meta.url);

function ours(cases) {
  const input = cases.map((c) => JSON.stringify(c)).join('\n');
  buildExamples();
  const run = spawnSync(example('evaluate'), [], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`our evaluator failed: ${run.stderr}`);
  return run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The value of the list's only element in `[expression].size() == 1`, from a coverage report. */
function elementValue(report) {
  const condition = report?.at(-1);
  const list = condition?.children?.[0]?.children?.[0];
  return list?.values?.at(-1)?.value?.listValue?.values?.[0];
}

/** Brings both sides' values to one form. */
function normal(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(normal);
  const out = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'currentOffset' || key === 'mapDiffValue') continue;
    if (key === 'setValue') {
      const elements = (inner.values ?? [])
        .map(normal)
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      out[key] = elements;
    } else if (key === 'listValue') out[key] = (inner.values ?? []).map(normal);
    else if (key === 'mapValue') out[key] = normal(inner.fields ?? {});
    else if (key === 'floatValue') out[key] = Number(inner);
    else if (key === 'timestampValue') out[key] = new Date(inner).getTime();
    else out[key] = normal(inner);
  }
  return out;
}

async function main() {
  const emulator = await Emulator.start();
  if (emulator === undefined) {
    console.log('SKIPPED: rules were NOT compared with the Firestore emulator.');
    process.exitCode = process.argv.includes('--required') ? 1 : 0;
    return;
  }
  try {
    const tables = tableCases(new URL('docstore/rules/tests/tables/', root));
    const generated = generatedCases(PER_FAMILY);
    const cases = [...tables, ...generated];
    const answers = ours(cases.map(({ rules, data, auth, op }) => ({ rules, data, auth, op })));
    const theirs = new Array(cases.length);
    await eachAtOnce(cases, AT_ONCE, async (one, index) => {
      const project = `case-${index}`;
      theirs[index] = await emulator.answer(project, one);
      if (one.expression !== undefined && theirs[index].verdict === 'allow') {
        theirs[index].value = elementValue((await emulator.coverage(project)).report);
      }
    });
    report(cases, answers, theirs);
  } finally {
    emulator.stop();
  }
}

function report(cases, answers, theirs) {
  const differing = [];
  const explained = new Map();
  let sameMessages = 0;
  let compared = 0;
  let messages = 0;
  for (const [index, one] of cases.entries()) {
    const [mine, google] = [answers[index], theirs[index]];
    let difference;
    if (mine.verdict !== google.verdict) {
      difference = `ours ${mine.verdict} ${mine.message ?? ''}\n  theirs ${google.verdict} ${google.message ?? ''}`;
    } else if (google.value !== undefined) {
      const own = elementValue(mine.report);
      compared += 1;
      if (!isDeepStrictEqual(normal(own), normal(google.value))) {
        difference = `ours ${JSON.stringify(own)}\n  theirs ${JSON.stringify(google.value)}`;
      }
    }
    if (mine.verdict === 'deny' && google.verdict === 'deny') {
      messages += 1;
      if (sameMessage(mine.message, google.message)) sameMessages += 1;
      else if (process.argv.includes('--verbose')) {
        console.log(`message of ${one.name}\n  ours ${mine.message}\n  theirs ${google.message}`);
      }
    }
    if (difference === undefined) continue;
    const reason = deliberate(one, mine, google);
    if (reason === undefined)
      differing.push(`${one.name}\n  auth ${JSON.stringify(one.auth)}\n  ${difference}`);
    else explained.set(reason, (explained.get(reason) ?? 0) + 1);
  }
  const allowed = answers.filter((answer) => answer.verdict === 'allow').length;
  console.log(`${cases.length} cases compared, ${allowed} of them allowed; ${compared} values compared`);
  console.log(`${sameMessages} of ${messages} denials also have the same message`);
  for (const [reason, count] of explained) console.log(`deliberate (${count}): ${reason}`);
  for (const difference of differing) console.log(`DIFFERS ${difference}`);
  console.log(
    differing.length === 0 ? 'no unexplained difference' : `${differing.length} unexplained differences`,
  );
  process.exitCode = differing.length === 0 ? 0 : 1;
}

/** The emulator repeats a statement's message when it looks at the document only in a second round. */
function sameMessage(a, b) {
  const parts = (text) => {
    const all = (text ?? '').trim().split(/(?<=@ L\d+), /);
    return [...new Set(all.filter((part) => !part.startsWith('evaluation error')))].sort();
  };
  return isDeepStrictEqual(parts(a), parts(b));
}

await main();
