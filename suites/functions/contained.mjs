// Containment: a function that harms its worker fails with the right code, and all other calls go on.
import assert from 'node:assert/strict';
import { call, OURS, test, until } from './harness.mjs';

/** Waits until two workers answer, so that one can be lost. */
function twoWorkers() {
  return until('a second worker', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('pid', null)));
    return new Set(answers.map(({ body }) => body.result)).size > 1;
  });
}

/** Starts a bad call, and good ones one after the other until it ends; how it ended, and how many good ones there were. */
async function beside(name) {
  await twoWorkers();
  let ended;
  const bad = call(name, null).then((answer) => {
    ended = answer;
  });
  let good = 0;
  while (ended === undefined) {
    const { status, body } = await call('echo', good);
    assert.deepEqual([status, body], [200, { result: { data: good, uid: null } }]);
    good += 1;
  }
  await bad;
  return { ...ended, good };
}

// The official suite runs a process for each call and keeps to no deadline.
if (OURS) {
  for (const [name, does, http, code] of [
    ['spin', 'loops for ever', 504, 'DEADLINE_EXCEEDED'],
    ['fill', 'fills its memory', 503, 'UNAVAILABLE'],
    ['leave', 'ends', 503, 'UNAVAILABLE'],
  ]) {
    test(`a worker that ${does} ends its own call and no other`, async () => {
      const { status, body, good } = await beside(name);
      assert.deepEqual([status, body.error.status], [http, code]);
      assert.ok(good > 0, 'nothing else was called meanwhile');
      assert.equal((await call('echo', 'after')).body.result.data, 'after');
    });
  }

  test('a worker that prints megabytes answers, and so do others meanwhile', async () => {
    const { status, body, good } = await beside('roar');
    assert.deepEqual([status, body], [200, { result: null }]);
    assert.ok(good > 0, 'nothing else was called meanwhile');
  });
}
