/** Every type of value, there and back. */

import { Events, equal, truthy } from '../check.mjs';

/** Values that each driver must give back, in the form of its `plain`. */
const all = (driver, other) => ({
  // The server SDK's JSON encoder turns -0 into 0.
  ...(driver.can.has('json') ? {} : { minusZero: [-0, -0] }),
  null: [null, null],
  true: [true, true],
  zero: [0, 0],
  integer: [42, 42],
  large: [9007199254740991, 9007199254740991],
  negative: [-9007199254740991, -9007199254740991],
  double: [1.5, 1.5],
  tiny: [5e-324, 5e-324],
  huge: [1.7976931348623157e308, 1.7976931348623157e308],
  nan: [Number.NaN, Number.NaN],
  infinity: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  minusInfinity: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  empty: ['', ''],
  text: ['é😀漢\u0000\n"\\', 'é😀漢\u0000\n"\\'],
  time: [driver.value.time(1_700_000_000, 123_456_000), { $time: [1_700_000_000, 123_456_000] }],
  before1970: [driver.value.time(-62_135_596_800, 0), { $time: [-62_135_596_800, 0] }],
  bytes: [driver.value.bytes([0, 1, 254, 255]), { $bytes: [0, 1, 254, 255] }],
  noBytes: [driver.value.bytes([]), { $bytes: [] }],
  place: [driver.value.geo(51.5, -0.25), { $geo: [51.5, -0.25] }],
  reference: [driver.value.ref(other), { $ref: other }],
  ...(driver.value.vector && { vector: [driver.value.vector([1, 2.5, -3]), { $vector: [1, 2.5, -3] }] }),
  list: [
    [1, 'a', null, { x: [true] }],
    [1, 'a', null, { x: [true] }],
  ],
  emptyList: [[], []],
  map: [{ a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }],
  emptyMap: [{}, {}],
});

export const values = [
  {
    name: 'every type survives',
    async run(driver, scope) {
      const collection = scope.collection();
      const kinds = all(driver, `${collection}/other`);
      const data = Object.fromEntries(Object.entries(kinds).map(([kind, [sent]]) => [kind, sent]));
      const expected = Object.fromEntries(Object.entries(kinds).map(([kind, [, back]]) => [kind, back]));
      await driver.set(`${collection}/all`, data);
      equal(await driver.get(`${collection}/all`), expected);
      const [found] = await driver.query({ collection });
      equal(found.data, expected);
    },
  },
  {
    name: 'every type survives a listener',
    needs: ['listen'],
    async run(driver, scope) {
      const collection = scope.collection();
      const kinds = all(driver, `${collection}/other`);
      const events = new Events();
      const stop = driver.listen({ doc: `${collection}/all` }, events, { onMetadata: true });
      await events.next((event) => !event.exists && !event.fromCache);
      await driver.set(
        `${collection}/all`,
        Object.fromEntries(Object.entries(kinds).map(([kind, [sent]]) => [kind, sent])),
      );
      const event = await events.next((one) => one.exists && !one.pending);
      equal(event.data, Object.fromEntries(Object.entries(kinds).map(([kind, [, back]]) => [kind, back])));
      stop();
    },
  },
  {
    name: 'values have one order across types',
    async run(driver, scope) {
      const collection = scope.collection();
      const ordered = [
        null,
        false,
        true,
        Number.NaN,
        Number.NEGATIVE_INFINITY,
        -1.5,
        -1,
        0,
        0.5,
        1,
        2 ** 53,
        Number.POSITIVE_INFINITY,
        driver.value.time(0, 0),
        driver.value.time(1, 0),
        '',
        'a',
        'ab',
        'b',
        'é',
        '漢',
        '😀',
        driver.value.bytes([]),
        driver.value.bytes([0]),
        driver.value.bytes([1]),
        driver.value.ref(`${collection}/a`),
        driver.value.ref(`${collection}/b`),
        driver.value.geo(-1, 0),
        driver.value.geo(0, -1),
        driver.value.geo(0, 1),
        [],
        [1],
        [1, 2],
        [2],
        ...(driver.value.vector ? [driver.value.vector([9]), driver.value.vector([1, 2])] : []),
        {},
        { a: 1 },
        { a: 1, b: 1 },
        { b: 0 },
      ];
      const name = (index) => `d${String((index * 7919) % 1000).padStart(3, '0')}`;
      await driver.batch(
        ordered.map((value, index) => ['set', `${collection}/${name(index)}`, { value, index }]),
      );
      const up = await driver.query({ collection, orderBy: [['value', 'asc']] });
      equal(
        up.map((doc) => doc.data.index),
        ordered.map((_value, index) => index),
      );
      const down = await driver.query({ collection, orderBy: [['value', 'desc']] });
      equal(
        down.map((doc) => doc.data.index),
        ordered.map((_value, index) => ordered.length - 1 - index),
      );
    },
  },
  {
    name: 'the server sets timestamps',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      const before = Math.floor(Date.now() / 1000) - 5;
      await driver.set(path, {
        at: driver.value.serverTimestamp(),
        deep: { at: driver.value.serverTimestamp() },
      });
      const { at, deep } = await driver.get(path);
      equal(at, deep.at);
      truthy(at.$time[0] >= before && at.$time[0] <= before + 60, `a time of now, not ${at.$time}`);
      equal(at.$time[1] % 1_000_000, 0, 'whole milliseconds');
    },
  },
  {
    name: 'numbers are incremented',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.set(path, { n: 1, d: 1.5, s: 'text' });
      const { increment } = driver.value;
      await driver.update(path, {
        n: increment(2),
        d: increment(1),
        s: increment(7),
        missing: increment(-3),
      });
      equal(await driver.get(path), { n: 3, d: 2.5, s: 7, missing: -3 });
      await driver.update(path, { n: increment(0.5) });
      equal((await driver.get(path)).n, 3.5);
    },
  },
  {
    name: 'lists are united and reduced',
    async run(driver, scope) {
      const path = `${scope.collection()}/one`;
      await driver.set(path, { list: [1, 2, { a: 1 }], no: 'list' });
      const { arrayUnion, arrayRemove } = driver.value;
      await driver.update(path, {
        list: arrayUnion(2, 3, { a: 1 }),
        no: arrayUnion('x'),
        fresh: arrayUnion(1, 1),
      });
      equal(await driver.get(path), { list: [1, 2, { a: 1 }, 3], no: ['x'], fresh: [1] });
      await driver.update(path, {
        list: arrayRemove(1, { a: 1 }),
        no: arrayRemove('x'),
        other: arrayRemove(1),
      });
      equal(await driver.get(path), { list: [2, 3], no: [], fresh: [1], other: [] });
    },
  },
];
