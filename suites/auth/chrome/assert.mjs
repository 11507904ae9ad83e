// As much of `node:assert/strict` as the tests use, for a page.

const text = (value) => JSON.stringify(value) ?? String(value);

function fail(message) {
  throw new Error(message);
}

const sorted = (_key, value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const assert = {
  fail,
  ok: (value, message) => value || fail(message ?? `${text(value)} is not true`),
  equal: (is, should, message) =>
    Object.is(is, should) || fail(message ?? `${text(is)} is not ${text(should)}`),
  notEqual: (is, other) => Object.is(is, other) && fail(`${text(is)} twice`),
  deepEqual: (is, should) =>
    JSON.stringify(is, sorted) === JSON.stringify(should, sorted) ||
    fail(`${text(is)} is not ${text(should)}`),
  async rejects(promise, fits) {
    let error;
    try {
      await promise;
    } catch (thrown) {
      error = thrown;
    }
    if (error === undefined) fail('it was not refused');
    fits(error);
  },
};

export default assert;
