import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutSchema } from '../layout.ts';
import { newLayout } from '../new-layout.ts';
import { newZone, type ZoneKind } from '../zones.ts';
import { sameDocument } from './same-document.ts';

test('the order of keys does not count, everything else does', () => {
  expect(sameDocument({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true);
  for (const [a, b] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, {}],
    [{ a: undefined }, { b: 1 }],
  ]) {
    expect(sameDocument(a, b)).toBe(false);
    expect(sameDocument(b, a)).toBe(false);
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameDocument(value, structuredClone(value))).toBe(true);
    }),
  );
});

test('a layout that comes back from the server is the one that was saved', () => {
  const kinds: ZoneKind[] = ['text', 'image', 'shape', 'container', 'grid', 'iterator', 'code'];
  const layout = newLayout('Test');
  layout.zones = kinds.map((kind) => newZone(kind, kind, kind, { x: 0, y: 0, w: 9, h: 9 }));
  expect(sameDocument(layoutSchema.parse(JSON.parse(JSON.stringify(layout))), layout)).toBe(true);
});
