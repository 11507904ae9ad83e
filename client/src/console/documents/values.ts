/** Values of the wire as JSON that people read and write, and back. */

import type { WireFields, WireValue } from '../../sdk/firestore/types.ts';

/** The kinds of values. */
export const KINDS = [
  'string',
  'integer',
  'double',
  'boolean',
  'timestamp',
  'map',
  'array',
  'null',
  'reference',
  'geopoint',
  'bytes',
  'vector',
] as const;

export type Kind = (typeof KINDS)[number];

/** JSON as it is parsed. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Thrown for text that is not a value; the message says why. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

/** A vector is a map with this mark. */
const VECTOR_MARK = '__vector__';

function vectorOf(fields: WireFields): WireValue[] | undefined {
  const mark = fields.__type__;
  const values = fields.value;
  if (!mark || !('stringValue' in mark) || mark.stringValue !== VECTOR_MARK) return undefined;
  return values && 'arrayValue' in values ? (values.arrayValue.values ?? []) : undefined;
}

/** Kind of a value. */
export function kindOf(value: WireValue): Kind {
  if ('nullValue' in value) return 'null';
  if ('booleanValue' in value) return 'boolean';
  if ('integerValue' in value) return 'integer';
  if ('doubleValue' in value) return 'double';
  if ('timestampValue' in value) return 'timestamp';
  if ('stringValue' in value) return 'string';
  if ('bytesValue' in value) return 'bytes';
  if ('referenceValue' in value) return 'reference';
  if ('geoPointValue' in value) return 'geopoint';
  if ('arrayValue' in value) return 'array';
  return vectorOf(value.mapValue.fields ?? {}) ? 'vector' : 'map';
}

function numberOf(value: WireValue): number {
  return Number(
    'doubleValue' in value ? value.doubleValue : 'integerValue' in value ? value.integerValue : 0,
  );
}

function doubleToJson(number: number): Json {
  if (!Number.isFinite(number)) return { $double: String(number) };
  return Number.isInteger(number) ? { $double: Object.is(number, -0) ? '-0' : number } : number;
}

/** A map of people's own with a key that begins with a dollar sign would be read as something else. */
function mapToJson(fields: WireFields): Json {
  const members = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, toJson(value)] as const);
  const plain = Object.fromEntries(members);
  return members.length === 1 && members[0]?.[0].startsWith('$') ? { $map: plain } : plain;
}

/** A value as JSON. What JSON has no form for is an object with one member that begins with a dollar sign. */
export function toJson(value: WireValue): Json {
  if ('nullValue' in value) return null;
  if ('booleanValue' in value) return value.booleanValue;
  if ('stringValue' in value) return value.stringValue;
  if ('integerValue' in value) {
    const number = Number(value.integerValue);
    return Number.isSafeInteger(number) ? number : { $integer: String(value.integerValue) };
  }
  if ('doubleValue' in value) return doubleToJson(Number(value.doubleValue));
  if ('timestampValue' in value) return { $timestamp: value.timestampValue };
  if ('bytesValue' in value) return { $bytes: value.bytesValue };
  if ('referenceValue' in value) return { $reference: value.referenceValue };
  if ('geoPointValue' in value) {
    const { latitude = 0, longitude = 0 } = value.geoPointValue;
    return { $geopoint: [latitude, longitude] };
  }
  if ('arrayValue' in value) return (value.arrayValue.values ?? []).map(toJson);
  const fields = value.mapValue.fields ?? {};
  const vector = vectorOf(fields);
  return vector ? { $vector: vector.map((item) => plainNumber(numberOf(item))) } : mapToJson(fields);
}

function plainNumber(number: number): Json {
  return Number.isFinite(number) && !Object.is(number, -0)
    ? number
    : Object.is(number, -0)
      ? '-0'
      : String(number);
}

/** Fields as JSON. */
export function fieldsToJson(fields: WireFields = {}): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, toJson(value)]));
}

function parseDouble(json: Json): WireValue {
  const text = typeof json === 'string' ? json.trim() : json;
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return { doubleValue: text };
  if (text === '-0') return { doubleValue: -0 };
  const number = typeof text === 'string' && text !== '' ? Number(text) : text;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new BadValue(`${String(text)} is no number.`);
  return { doubleValue: number };
}

function parseInteger(json: Json): WireValue {
  const text = String(json).trim();
  if (!/^-?\d+$/.test(text)) throw new BadValue(`${text} is no whole number.`);
  const number = BigInt(text);
  if (BigInt.asIntN(64, number) !== number) throw new BadValue(`${text} does not fit in 64 bits.`);
  return { integerValue: String(number) };
}

const SECOND = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** A time in the wire's form; finer than a millisecond when it is given so. */
function parseTimestamp(json: Json): WireValue {
  const text = String(json).trim();
  const exact = SECOND.exec(text);
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw new BadValue(`${text} is no time: write it as 2026-01-31T12:00:00Z.`);
  }
  if (!exact) return { timestampValue: date.toISOString() };
  const seconds = new Date(`${exact[1]}${exact[3]}`).toISOString().slice(0, 19);
  return { timestampValue: `${seconds}${exact[2] ? `.${exact[2]}` : ''}Z` };
}

function parseGeoPoint(json: Json): WireValue {
  const pair = typeof json === 'string' ? json.split(',').map((part) => Number(part.trim())) : json;
  const [latitude, longitude] = Array.isArray(pair) ? pair : [];
  if (
    typeof latitude !== 'number' ||
    typeof longitude !== 'number' ||
    !(Math.abs(latitude) <= 90) ||
    !(Math.abs(longitude) <= 180)
  ) {
    throw new BadValue(
      'A place is its latitude (-90 to 90) and its longitude (-180 to 180), such as 52.5, 13.4.',
    );
  }
  return { geoPointValue: { latitude, longitude } };
}

function parseBytes(json: Json): WireValue {
  const text = String(json).trim();
  try {
    atob(text);
  } catch {
    throw new BadValue('Bytes are written in base64.');
  }
  return { bytesValue: text };
}

function parseVector(json: Json): WireValue {
  if (!Array.isArray(json)) throw new BadValue('A vector is a list of numbers.');
  return {
    mapValue: {
      fields: {
        __type__: { stringValue: VECTOR_MARK },
        value: { arrayValue: { values: json.map(parseDouble) } },
      },
    },
  };
}

/** Decoders of the special members. */
const SPECIAL: Readonly<Record<string, (json: Json, root: string) => WireValue>> = {
  $integer: parseInteger,
  $double: parseDouble,
  $timestamp: parseTimestamp,
  $bytes: parseBytes,
  $reference: (json, root) => reference(String(json), root),
  $geopoint: parseGeoPoint,
  $vector: parseVector,
  $map: (json, root) => ({ mapValue: { fields: membersOf(json, root) } }),
};

/** The wire's name of a document, of which `root` is the database's part. */
function reference(text: string, root: string): WireValue {
  const path = text.trim().replace(/^\/+|\/+$/g, '');
  const name = path.startsWith('projects/') ? path : `${root}/${path}`;
  const segments = name.split('/documents/')[1]?.split('/') ?? [];
  if (segments.length === 0 || segments.length % 2 !== 0 || segments.includes('')) {
    throw new BadValue(`${text} is no document's path, such as users/ann.`);
  }
  return { referenceValue: name };
}

function membersOf(json: Json, root: string): WireFields {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) {
    throw new BadValue('Fields are an object: { "name": value }.');
  }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fromJson(value, root)]));
}

/** The value that JSON stands for; `root` is `projects/P/databases/D/documents`. */
export function fromJson(json: Json, root: string): WireValue {
  if (json === null) return { nullValue: null };
  if (typeof json === 'boolean') return { booleanValue: json };
  if (typeof json === 'string') return { stringValue: json };
  if (typeof json === 'number') return Number.isInteger(json) ? parseInteger(json) : { doubleValue: json };
  if (Array.isArray(json)) return { arrayValue: { values: json.map((item) => fromJson(item, root)) } };
  const [[key, inner] = ['', null], ...others] = Object.entries(json);
  const special = others.length === 0 && Object.hasOwn(SPECIAL, key) ? SPECIAL[key] : undefined;
  if (special) return special(inner, root);
  if (others.length === 0 && key.startsWith('$')) {
    throw new BadValue(
      `${key} is not known; a map with only this member is written { "$map": { "${key}": … } }.`,
    );
  }
  return { mapValue: { fields: membersOf(json, root) } };
}

/** Fields from a text of JSON. */
export function parseFields(text: string, root: string): WireFields {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    throw new BadValue(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return membersOf(json, root);
}

/** A value as one line of text, as it is shown, and typed where one line will do. */
export function toText(value: WireValue): string {
  if ('stringValue' in value) return value.stringValue;
  if ('timestampValue' in value) return value.timestampValue;
  if ('referenceValue' in value) return value.referenceValue.split('/documents/')[1] ?? value.referenceValue;
  if ('bytesValue' in value) return value.bytesValue;
  if ('integerValue' in value) return String(value.integerValue);
  if ('doubleValue' in value) return Object.is(value.doubleValue, -0) ? '-0' : String(value.doubleValue);
  if ('geoPointValue' in value) {
    return `${value.geoPointValue.latitude ?? 0}, ${value.geoPointValue.longitude ?? 0}`;
  }
  if ('nullValue' in value) return 'null';
  if ('booleanValue' in value) return String(value.booleanValue);
  const json = toJson(value);
  return JSON.stringify(kindOf(value) === 'vector' ? (json as { $vector: Json }).$vector : json);
}

/** The value of a kind that a text stands for. */
export function fromText(kind: Kind, text: string, root: string): WireValue {
  switch (kind) {
    case 'string':
      return { stringValue: text };
    case 'integer':
      return parseInteger(text);
    case 'double':
      return parseDouble(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new BadValue('Write true or false.');
      return { booleanValue: text === 'true' };
    case 'timestamp':
      return parseTimestamp(text);
    case 'null':
      return { nullValue: null };
    case 'reference':
      return reference(text, root);
    case 'geopoint':
      return parseGeoPoint(text);
    case 'bytes':
      return parseBytes(text);
    default:
      return composite(kind, text, root);
  }
}

function composite(kind: 'map' | 'array' | 'vector', text: string, root: string): WireValue {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    throw new BadValue(kind === 'map' ? 'Write a map as { "name": value }.' : 'Write a list as [1, 2].');
  }
  if (kind === 'vector') return parseVector(json);
  if (kind === 'array') {
    if (!Array.isArray(json)) throw new BadValue('Write a list as [1, 2].');
    return fromJson(json, root);
  }
  const value = fromJson(json, root);
  if (!('mapValue' in value)) throw new BadValue('Write a map as { "name": value }.');
  return value;
}

/** Initial text of a new value of a kind. */
export function firstText(kind: Kind): string {
  const texts: Partial<Record<Kind, string>> = {
    integer: '0',
    double: '0',
    boolean: 'false',
    timestamp: new Date().toISOString(),
    map: '{}',
    array: '[]',
    vector: '[0, 0]',
    geopoint: '0, 0',
    null: 'null',
  };
  return texts[kind] ?? '';
}
