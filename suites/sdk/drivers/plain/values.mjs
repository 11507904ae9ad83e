/** Values as the REST interface writes them, and back to what the suite compares. */

/** Marks of the values that JSON has no type for. */
export class Time {
  constructor(seconds, nanos) {
    Object.assign(this, { seconds, nanos });
  }
}
export class Place {
  constructor(latitude, longitude) {
    Object.assign(this, { latitude, longitude });
  }
}
export class Bytes {
  constructor(list) {
    this.list = list;
  }
}
export class Reference {
  constructor(path) {
    this.path = path;
  }
}
export class Vector {
  constructor(numbers) {
    this.numbers = numbers;
  }
}
/** A transform of a field, such as `{ increment: … }`, in the form of the interface. */
export class Transform {
  constructor(make) {
    this.make = make;
  }
}
/** A field that is to go. */
export const GONE = Symbol('a field that is to go');

/** A number as JSON can carry it: what JSON has no number for goes as text. */
const double = (number) => (Number.isFinite(number) && !Object.is(number, -0) ? number : textOf(number));
const textOf = (number) => (Object.is(number, -0) ? '-0' : String(number));

function timeText({ seconds, nanos }) {
  const whole = new Date(seconds * 1_000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}.${String(nanos).padStart(9, '0')}Z`;
}

/** The interface's value of a value; `root` is where documents begin. */
export function encode(value, root) {
  if (value === null) return { nullValue: null };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') {
    const whole = Number.isSafeInteger(value) && !Object.is(value, -0);
    return whole ? { integerValue: String(value) } : { doubleValue: double(value) };
  }
  if (value instanceof Time) return { timestampValue: timeText(value) };
  if (value instanceof Place)
    return { geoPointValue: { latitude: value.latitude, longitude: value.longitude } };
  if (value instanceof Bytes) return { bytesValue: Buffer.from(value.list).toString('base64') };
  if (value instanceof Reference) return { referenceValue: `${root}/${value.path}` };
  if (value instanceof Vector) {
    const numbers = value.numbers.map((number) => ({ doubleValue: double(number) }));
    const parts = { __type__: { stringValue: '__vector__' }, value: { arrayValue: { values: numbers } } };
    return { mapValue: { fields: parts } };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map((part) => encode(part, root)) } };
  return { mapValue: { fields: encodeFields(value, root) } };
}

export function encodeFields(data, root) {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encode(value, root)]));
}

function time(text) {
  const [, whole, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text);
  return { $time: [Date.parse(`${whole}Z`) / 1_000, Number(fraction.padEnd(9, '0'))] };
}

/** A value of a reply, in the form that drivers compare. */
export function decode(value, root) {
  const [kind, content] = Object.entries(value)[0];
  switch (kind) {
    case 'integerValue':
    case 'doubleValue':
      return Number(content);
    case 'timestampValue':
      return time(content);
    case 'geoPointValue':
      return { $geo: [content.latitude ?? 0, content.longitude ?? 0] };
    case 'bytesValue':
      return { $bytes: [...Buffer.from(content, 'base64')] };
    case 'referenceValue':
      return { $ref: content.slice(root.length + 1) };
    case 'arrayValue':
      return (content.values ?? []).map((part) => decode(part, root));
    case 'mapValue': {
      const fields = decodeFields(content.fields, root);
      return fields.__type__ === '__vector__' ? { $vector: fields.value } : fields;
    }
    default:
      return content;
  }
}

export function decodeFields(fields, root) {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [key, decode(value, root)]));
}
