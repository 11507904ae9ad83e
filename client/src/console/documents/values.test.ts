import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireValue } from '../../sdk/firestore/types.ts';
import { BadValue, fromJson, fromText, type Json, kindOf, toJson, toText } from './values.ts';

const ROOT = 'projects/p/databases/(default)/documents';

const time = fc
  .tuple(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), fc.nat(999_999))
  .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`);

const { value } = fc.letrec<{ value: WireValue; leaf: WireValue }>((tie) => ({
  leaf: fc.oneof(
    fc.constant({ nullValue: null }),
    fc.boolean().map((booleanValue) => ({ booleanValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ integerValue: String(n) })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((doubleValue) => ({ doubleValue })),
    fc.constantFrom('NaN', 'Infinity', '-Infinity').map((doubleValue) => ({ doubleValue })),
    fc.string().map((stringValue) => ({ stringValue })),
    time.map((timestampValue) => ({ timestampValue })),
    fc.uint8Array({ maxLength: 9 }).map((bytes) => ({ bytesValue: btoa(String.fromCharCode(...bytes)) })),
    fc.stringMatching(/^[a-z]{1,5}$/).map((id) => ({ referenceValue: `${ROOT}/c/${id}` })),
    fc
      .tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
      .map(([latitude, longitude]) => ({
        geoPointValue: { latitude: latitude + 0, longitude: longitude + 0 },
      })),
  ),
  value: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('leaf'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .dictionary(
        fc.oneof(fc.constantFrom('$map', '$integer', '$odd', 'a', 'b'), fc.string()),
        tie('value'),
        {
          maxKeys: 3,
          noNullPrototype: true,
        },
      )
      .map((fields) => ({ mapValue: { fields } })),
    fc
      .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 3 })
      .map((numbers) => ({
        mapValue: {
          fields: {
            __type__: { stringValue: '__vector__' },
            value: { arrayValue: { values: numbers.map((doubleValue) => ({ doubleValue })) } },
          },
        },
      })),
  ),
}));

describe('values', () => {
  test('survive as JSON, through text', () => {
    fc.assert(
      fc.property(value, (wire) => {
        const json = JSON.parse(JSON.stringify(toJson(wire))) as Json;
        expect(fromJson(json, ROOT)).toEqual(wire);
      }),
      { numRuns: 500 },
    );
  });

  test('survive as one line of text of their kind', () => {
    fc.assert(
      fc.property(value, (wire) => {
        expect(fromText(kindOf(wire), toText(wire), ROOT)).toEqual(wire);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['integer', '1.5'],
    ['integer', '9223372036854775808'],
    ['double', 'three'],
    ['boolean', 'yes'],
    ['timestamp', 'yesterday'],
    ['reference', 'users'],
    ['geopoint', '91, 0'],
    ['bytes', '%%%'],
    ['array', '{}'],
    ['map', '[1]'],
    ['map', '{ "$integer": 1 }'],
  ] as const)('a %s is not %s', (kind, text) => {
    expect(() => fromText(kind, text, ROOT)).toThrow(BadValue);
  });

  test('paths stand for references of the database', () => {
    expect(fromText('reference', '/users/ann/', ROOT)).toEqual({ referenceValue: `${ROOT}/users/ann` });
  });
});
