import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choosing, choosingAll, firstChosen } from './choice.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const anyChanges = fc.tuple(
  ...NAMES.map((key, at) =>
    fc.record({
      ...{ key: fc.constant(key), conflict: fc.boolean() },
      // A change needs such as come before it, as a card needs its component.
      needs: fc.subarray(NAMES.slice(0, at)),
    }),
  ),
);

test('no change is chosen without what it needs, and a choice does what it says', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.boolean()));
  fc.assert(
    fc.property(anyChanges, steps, fc.nat(5), (changes, acts, most) => {
      let chosen = firstChosen(changes, most);
      expect(chosen.size).toBeLessThanOrEqual(most);
      for (const { key, needs } of changes)
        if (chosen.has(key)) expect([...chosen]).toEqual(expect.arrayContaining(needs));
      for (const { key, conflict } of changes) if (conflict) expect(chosen).not.toContain(key);
      for (const [key, on] of acts) {
        const before = chosen;
        chosen = choosing(changes, chosen, key, on);
        expect(chosen.has(key)).toBe(on);
        for (const one of before) if (on) expect(chosen).toContain(one);
        for (const one of chosen) if (!on) expect(before).toContain(one);
        for (const { key: one, needs } of changes)
          if (chosen.has(one)) expect([...chosen]).toEqual(expect.arrayContaining(needs));
      }
    }),
  );
});

test('all that nobody else touched is chosen at first, as far as there is room', () => {
  const changes = [
    { key: 'component', conflict: false, needs: ['layout'] },
    { key: 'cell', conflict: true },
    { key: 'layout', conflict: false },
    { key: 'text', conflict: false, needs: ['cell'] },
  ];
  expect([...firstChosen(changes, 9)].sort()).toEqual(['component', 'layout']);
  expect([...firstChosen(changes, 1)]).toEqual(['layout']);
  const all = choosingAll(changes, new Set(), ['component', 'text'], true);
  expect([...all].sort()).toEqual(['cell', 'component', 'layout', 'text']);
  expect([...choosingAll(changes, all, ['layout', 'cell'], false)]).toEqual([]);
});
