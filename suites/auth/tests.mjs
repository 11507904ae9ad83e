// Declares tests and runs them several at a time, in Node and in a browser's page.

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
  const queue = tests.splice(0);
  const count = queue.length;
  const failures = [];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const failure = await runOne(next);
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { passed: count - failures.length, failures };
}
