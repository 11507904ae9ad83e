import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionAt } from './version-at.ts';

test('a time is of the newest named version before it', () => {
  const versions = [
    { name: 'v2', at: 30 },
    { name: '', at: 25 },
    { name: 'v1', at: 10 },
    // Not stored yet.
    { name: 'v3', at: 0 },
  ];
  expect([5, 10, 26, 30, 99].map((time) => versionAt(versions, time))).toEqual([
    ...[undefined, 'v1', 'v1', 'v2', 'v2'],
  ]);
  expect(versionAt(versions, 0)).toBeUndefined();
});

test('no version is of a time before it, and none lies between, in whatever order they are listed', () => {
  const version = fc.record({ name: fc.constantFrom('', 'a', 'b', 'c'), at: fc.nat({ max: 50 }) });
  fc.assert(
    fc.property(fc.array(version), fc.nat({ max: 60 }), (versions, time) => {
      const name = versionAt(versions, time);
      const fitting = versions.filter((one) => one.name !== '' && one.at > 0 && one.at <= time);
      if (name === undefined) expect(fitting).toEqual([]);
      else {
        const newest = Math.max(...fitting.map(({ at }) => at));
        expect(fitting.some((one) => one.name === name && one.at === newest)).toBe(true);
      }
    }),
  );
});
