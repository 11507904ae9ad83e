// The few assertions of `node:assert/strict` that the suite uses, for a page, where that is not.
class AssertionError extends Error {}

const shown = (value) => {
  if (value instanceof Error) return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
};

function fail(what, actual, expected) {
  throw new AssertionError(`${what}: ${shown(actual)}, expected ${shown(expected)}`);
}

function alike(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && alike(a[key], b[key]));
}

export default {
  ok(value) {
    if (!value) fail('not true', value, true);
  },
  equal(actual, expected) {
    if (!Object.is(actual, expected)) fail('not equal', actual, expected);
  },
  deepEqual(actual, expected) {
    if (!alike(actual, expected)) fail('not alike', actual, expected);
  },
  match(actual, pattern) {
    if (!pattern.test(actual)) fail('no match', actual, String(pattern));
  },
  async rejects(promise, check) {
    let value;
    try {
      value = await promise;
    } catch (error) {
      if (check !== undefined && check(error) !== true) fail('another error', error, 'the one looked for');
      return;
    }
    fail('no error', value, 'an error');
  },
};
