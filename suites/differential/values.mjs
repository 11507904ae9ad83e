/** Random Firestore values in proto3 JSON, drawn from a small pool so that different documents often agree. */

const STRINGS = ['', 'a', 'b', 'ab', 'Z', 'é', '😀', '\uffff', 'a b', '0', 'long '.repeat(40)];
const INTEGERS = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '10',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
];
const DOUBLES = [0, '-0', 0.5, 1, 1.5, -1, 2, 3, 1e300, 'NaN', 'Infinity', '-Infinity', 9007199254740992];
const TIMES = [
  '2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00.000001Z',
  '1969-12-31T23:59:59.5Z',
  '2038-01-19T03:14:08Z',
];
const BYTES = ['', 'AA==', 'AAE=', '/w=='];

export const FIELDS = ['a', 'b', 'c', 'n', 'list', 'map.x', 'map.y', '`odd name`'];
export const COLLECTIONS = ['alpha', 'beta', 'sub'];
export const IDS = ['1', '2', '10', 'a', 'B', 'é', 'x.y', '__id7__', '__id10__'];

export const number = (random) =>
  random.chance(0.5) ? { integerValue: random.pick(INTEGERS) } : { doubleValue: random.pick(DOUBLES) };

const scalars = {
  nullValue: () => ({ nullValue: null }),
  booleanValue: (random) => ({ booleanValue: random.chance(0.5) }),
  number,
  timestampValue: (random) => ({ timestampValue: random.pick(TIMES) }),
  stringValue: (random) => ({ stringValue: random.pick(STRINGS) }),
  bytesValue: (random) => ({ bytesValue: random.pick(BYTES) }),
  referenceValue: (random, root) => ({
    referenceValue: `${root}/${random.pick(COLLECTIONS)}/${random.pick(['1', '2', 'a'])}`,
  }),
  geoPointValue: (random) => ({
    geoPointValue: { latitude: random.pick([0, 1, -45.5]), longitude: random.pick([0, 1, 170]) },
  }),
};

/** @param {import('../shared/random.mjs').Random} random @param {string} root `…/documents` */
export const scalar = (random, root) =>
  random.chance(0.4) ? number(random) : scalars[random.pick(Object.keys(scalars))](random, root);

export function value(random, root, depth = 0) {
  if (depth < 2 && random.chance(0.12)) {
    const values = Array.from({ length: random.int(0, 3) }, () => scalar(random, root));
    return { arrayValue: values.length > 0 ? { values } : {} };
  }
  if (depth < 2 && random.chance(0.12)) {
    const names = random.some(['x', 'y', 'z'], 0, 3);
    const fields = Object.fromEntries(names.map((name) => [name, value(random, root, depth + 1)]));
    return { mapValue: names.length > 0 ? { fields } : {} };
  }
  return scalar(random, root);
}

export function fields(random, root) {
  const result = {};
  for (const name of random.some(['a', 'b', 'c', 'odd name'], 0, 4)) result[name] = value(random, root);
  if (random.chance(0.7)) result.n = number(random);
  if (random.chance(0.5)) {
    const values = Array.from({ length: random.int(0, 4) }, () => scalar(random, root));
    result.list = { arrayValue: values.length > 0 ? { values } : {} };
  }
  if (random.chance(0.5)) {
    result.map = { mapValue: { fields: { x: value(random, root, 1), y: value(random, root, 1) } } };
  }
  return result;
}
