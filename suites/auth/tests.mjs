// Declares tests and runs them several at a time, in Node and in a browser's page.

import { eachAtOnce } from '../shared/at-once.mjs';

/** The project that the servers' API keys belong to. */
export const PROJECT = 'demo-auth';

const TEST_MS = 60_000;
const AT_ONCE = 4;

const tests = [];

/** Declares a test. */
export function test(name, run) {
  tests.push({ name, run });
}

async function runOne({ name, run }) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${TEST_MS} ms`)), TEST_MS);
  });
  try {
    await Promise.race([run(), late]);
    return undefined;
  } catch (error) {
    return `FAIL ${name}\n  ${String(error?.stack ?? error).replaceAll('\n', '\n  ')}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs every declared test: how many passed, and what is to be said of those that failed. */
export async function runAll() {
  const declared = tests.splice(0);
  const failures = [];
  await eachAtOnce(declared, AT_ONCE, async (one) => {
    const failure = await runOne(one);
    if (failure) failures.push(failure);
  });
  return { passed: declared.length - failures.length, failures };
}
