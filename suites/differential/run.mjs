/**
 * Sends the same requests to Tuckbox and to Google's own Firestore emulator and compares every answer: first commits under
 * rules and with preconditions, then in every run requests at the limits and random ones.
 *
 *   node suites/differential/run.mjs [--seed N] [--requests N] [--runs N] [--commits N] [--keep-going]
 *
 * Where the emulator (or Java) is not installed it says so and passes nothing.
 */

import { inspect, isDeepStrictEqual, parseArgs } from 'node:util';
import { Random } from '../shared/random.mjs';
import { comparable, DIFFERENCES, firstDifference } from './answers.mjs';
import { compareCommits } from './commits.mjs';
import { edges } from './edges.mjs';
import { google, googleIsHere, ROOT, send, tuckbox } from './peers.mjs';
import { comparePreconditions } from './preconditions.mjs';
import { request } from './requests.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '400' },
    runs: { type: 'string', default: '3' },
    commits: { type: 'string', default: '200' },
    'keep-going': { type: 'boolean', default: false },
  },
});

/** Answers that differ and are not listed, most to print. */
const MOST_REPORTED = 40;
/** As much of a request or an answer is printed, in characters. */
const MOST_PRINTED = 4000;

async function clear(peer) {
  const { origin } = new URL(peer.documents);
  const path = ROOT.replace(/^projects/, '/emulator/v1/projects');
  const response = await fetch(origin + path, {
    method: 'DELETE',
    headers: { authorization: 'Bearer owner' },
  });
  if (!response.ok) throw new Error(`${peer.name} did not clear its documents: ${response.status}`);
}

function* requests(random, count) {
  yield* edges(ROOT);
  for (let step = 0; step < count; step++) yield request(random, ROOT);
}

async function run(peers, seed, count, report) {
  await Promise.all(peers.map(clear));
  let step = -1;
  for (const asked of requests(new Random(seed), count)) {
    step++;
    const answers = await Promise.all(peers.map((peer) => send(peer, asked)));
    const [theirs, ours] = answers.map((answer) => comparable(asked, answer));
    if (isDeepStrictEqual(theirs, ours)) continue;
    const meant = DIFFERENCES.find(({ test }) => test(asked, theirs, ours));
    if (meant) report.meant.set(meant.name, (report.meant.get(meant.name) ?? 0) + 1);
    else report.unmeant.push({ seed, step, asked, answers, where: firstDifference(theirs, ours) });
  }
}

if (!googleIsHere()) {
  console.log(
    'SKIPPED: the Debian package google-cloud-cli-firestore-emulator, or Java, is not installed; nothing was compared.',
  );
  console.log('0 passed, 0 failed');
  process.exit(0);
}

const started = await Promise.allSettled([google(), tuckbox()]);
const peers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
const failure = started.find((one) => one.status === 'rejected');
const report = { meant: new Map(), unmeant: [] };
const runs = Number(options.runs);
const count = Number(options.requests);
let failed = 0;
let commits;
let preconditions;
try {
  if (failure) throw failure.reason;
  commits = await compareCommits(peers);
  preconditions = await comparePreconditions(
    peers,
    new Random(Number(options.seed)),
    Number(options.commits),
  );
  for (let index = 0; index < runs; index++) {
    const before = report.unmeant.length;
    await run(peers, Number(options.seed) + index, count, report);
    if (report.unmeant.length > before) failed++;
    if (failed && !options['keep-going']) break;
  }
} finally {
  await Promise.all(peers.map((peer) => peer.stop()));
}

const printed = (json) => (typeof json === 'string' ? json : JSON.stringify(json))?.slice(0, MOST_PRINTED);
for (const { seed, step, asked, answers, where } of report.unmeant.slice(0, MOST_REPORTED)) {
  const [theirs, ours] = answers;
  console.log(`\nseed ${seed} step ${step}: ${asked.method} ${decodeURIComponent(asked.path)}`);
  console.log(`  asked     ${printed(asked.raw ?? asked.body)}`);
  console.log(`  at ${where.path}: ${inspect(where.theirs)} against ${inspect(where.ours)}`);
  console.log(`  reference ${theirs.status} ${printed(theirs.body)}`);
  console.log(`  tuckbox   ${ours.status} ${printed(ours.body)}`);
}
for (const difference of commits.differences) console.log(`commit: ${difference}`);
for (const [name, times] of report.meant) console.log(`meant difference, ${times} times: ${name}`);
if (report.unmeant.length > 0) console.log(`${report.unmeant.length} answers differ`);
for (const difference of preconditions.differences) console.log(`precondition: ${difference}`);
const compared = commits.compared + preconditions.compared;
const wrong = commits.differences.length + preconditions.differences.length;
console.log(`${runs - failed + compared - wrong} passed, ${failed + wrong} failed`);
process.exitCode = failed + wrong > 0 ? 1 : 0;
