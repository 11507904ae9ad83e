/** Plain JSON as the values of Firestore's REST interface: every number is a double. */
export function encodeFields(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, encode(one)]));
}

function encode(value: unknown): unknown {
  if (value === null || value === undefined) return { nullValue: null };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { doubleValue: value };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(encode) } };
  return { mapValue: { fields: encodeFields(value) } };
}
