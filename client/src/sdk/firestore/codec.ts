import type { Database } from './database.ts';
import { FirestoreError } from './error.ts';
import { FieldValue } from './field-value.ts';
import { DocumentReference, referenceFromName } from './reference.ts';
import { formatTimestamp, parseTimestamp, Timestamp } from './timestamp.ts';
import type { WireFields, WireValue } from './types.ts';
import { Bytes, GeoPoint } from './values.ts';

/** Deepest nesting of maps and arrays the database takes. */
const MAX_DEPTH = 20;

function invalid(message: string): FirestoreError {
  return new FirestoreError('invalid-argument', message);
}

/** Encodes a number as the database tells numbers apart: whole ones as integers. */
export function encodeNumber(value: number): WireValue {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { integerValue: String(value) };
  if (Number.isNaN(value)) return { doubleValue: 'NaN' };
  if (!Number.isFinite(value)) return { doubleValue: value > 0 ? 'Infinity' : '-Infinity' };
  return { doubleValue: Object.is(value, -0) ? '-0' : value };
}

/** Encodes one value; `where` names it in errors. Markers (`increment` …) are refused here. */
export function encodeValue(database: Database, value: unknown, where: string, depth = 0): WireValue {
  if (depth > MAX_DEPTH) throw invalid(`${where} is nested deeper than ${MAX_DEPTH} levels.`);
  if (value === null) return { nullValue: null };
  switch (typeof value) {
    case 'boolean':
      return { booleanValue: value };
    case 'number':
      return encodeNumber(value);
    case 'string':
      return { stringValue: value };
    case 'object':
      return encodeObject(database, value, where, depth);
    case 'undefined':
      throw invalid(`${where} is undefined: leave it out, or write null.`);
    default:
      throw invalid(`${where} is a ${typeof value}, which a document cannot hold.`);
  }
}

function encodeObject(database: Database, value: object, where: string, depth: number): WireValue {
  if (value instanceof FieldValue) {
    throw invalid(`${where}: ${value.operation.kind}() cannot be used here.`);
  }
  if (value instanceof Date) return { timestampValue: formatTimestamp(Timestamp.fromDate(value)) };
  if (value instanceof Timestamp) return { timestampValue: formatTimestamp(value) };
  if (value instanceof Bytes) return { bytesValue: value.toBase64() };
  if (value instanceof GeoPoint) {
    return { geoPointValue: { latitude: value.latitude, longitude: value.longitude } };
  }
  if (value instanceof DocumentReference) return { referenceValue: value.wireName };
  if (Array.isArray(value)) {
    const values = value.map((element, i) => {
      if (Array.isArray(element)) throw invalid(`${where}[${i}] is an array within an array.`);
      return encodeValue(database, element, `${where}[${i}]`, depth + 1);
    });
    return { arrayValue: { values } };
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw invalid(
      `${where} is an object of class ${value.constructor?.name}; only plain objects can be stored.`,
    );
  }
  return { mapValue: { fields: encodeFields(database, value as Record<string, unknown>, where, depth + 1) } };
}

/** Encodes a plain object's members. */
export function encodeFields(
  database: Database,
  data: Record<string, unknown>,
  where: string,
  depth = 0,
): WireFields {
  // A plain object would take a field `__proto__` for its prototype, and the server would never hear of it.
  const fields: WireFields = Object.create(null);
  for (const [key, value] of Object.entries(data)) {
    if (value === undefined && database.ignoreUndefined) continue;
    if (key === '') throw invalid(`${where} has a field without a name.`);
    fields[key] = encodeValue(database, value, where ? `${where}.${key}` : key, depth);
  }
  return fields;
}

/** Decodes one value. */
export function decodeValue(database: Database, value: WireValue): unknown {
  if ('stringValue' in value) return value.stringValue;
  if ('integerValue' in value) return Number(value.integerValue);
  if ('doubleValue' in value) return Number(value.doubleValue);
  if ('booleanValue' in value) return value.booleanValue;
  if ('mapValue' in value) return decodeFields(database, value.mapValue.fields);
  if ('arrayValue' in value) return (value.arrayValue.values ?? []).map((one) => decodeValue(database, one));
  if ('timestampValue' in value) return parseTimestamp(value.timestampValue);
  if ('bytesValue' in value) return Bytes.fromBase64String(value.bytesValue);
  if ('referenceValue' in value) return referenceFromName(database, value.referenceValue);
  if ('geoPointValue' in value) {
    return new GeoPoint(value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0);
  }
  return null;
}

/** Decodes a document's or map's members. */
export function decodeFields(database: Database, fields: WireFields | undefined): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields ?? {})) {
    // Plain assignment would set the prototype for this one name.
    if (key === '__proto__')
      Object.defineProperty(data, key, { value: decodeValue(database, value), enumerable: true });
    else data[key] = decodeValue(database, value);
  }
  return data;
}
