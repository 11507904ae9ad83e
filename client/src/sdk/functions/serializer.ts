const LONG_TYPE = 'type.googleapis.com/google.protobuf.Int64Value';
const UNSIGNED_LONG_TYPE = 'type.googleapis.com/google.protobuf.UInt64Value';

/** Makes plain JSON of a payload: `undefined` becomes `null`, dates ISO strings. */
export function encode(data: unknown): unknown {
  if (data === null || data === undefined) return null;
  if (data instanceof Number || data instanceof String || data instanceof Boolean) return data.valueOf();
  if (typeof data === 'number') {
    if (!Number.isFinite(data)) throw new Error(`Data cannot be encoded in JSON: ${data}`);
    return data;
  }
  if (typeof data === 'string' || typeof data === 'boolean') return data;
  if (data instanceof Date) return data.toISOString();
  if (Array.isArray(data)) return data.map(encode);
  if (typeof data === 'object') {
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encode(value)]));
  }
  throw new Error(`Data cannot be encoded in JSON: ${String(data)}`);
}

/** Undoes the wire's one special form, 64-bit integers, and leaves all else as it is. */
export function decode(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(decode);
  if (json === null || typeof json !== 'object') return json;
  const record = json as Record<string, unknown>;
  const type = record['@type'];
  if (type !== undefined) {
    if (type !== LONG_TYPE && type !== UNSIGNED_LONG_TYPE) {
      throw new Error(`Data cannot be decoded from JSON: ${JSON.stringify(json)}`);
    }
    const value = Number(record.value);
    if (Number.isNaN(value)) throw new Error(`Data cannot be decoded from JSON: ${JSON.stringify(json)}`);
    return value;
  }
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, decode(value)]));
}
