import type { WireDocument, WireFields, WireOrder, WireValue } from '../types.ts';

/** Compares strings as their UTF-8 bytes, which is the order of their code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      // Surrogates (U+10000 and above) come after every other character, though their units are smaller.
      const xHigh = x >= 0xd800 && x <= 0xdfff;
      const yHigh = y >= 0xd800 && y <= 0xdfff;
      return xHigh === yHigh ? x - y : xHigh ? 1 : -1;
    }
  }
  return a.length - b.length;
}

/** Place of a value's type in the order of all values. */
export function rank(value: WireValue): number {
  if ('nullValue' in value) return 0;
  if ('booleanValue' in value) return 1;
  if ('integerValue' in value || 'doubleValue' in value) return 2;
  if ('timestampValue' in value) return 3;
  if ('stringValue' in value) return 4;
  if ('bytesValue' in value) return 5;
  if ('referenceValue' in value) return 6;
  if ('geoPointValue' in value) return 7;
  if ('arrayValue' in value) return 8;
  return 9;
}

function compareNumbers(a: WireValue, b: WireValue): number {
  if ('integerValue' in a && 'integerValue' in b) {
    const x = BigInt(a.integerValue);
    const y = BigInt(b.integerValue);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const number = (value: WireValue) =>
    Number(
      'integerValue' in value ? value.integerValue : 'doubleValue' in value ? value.doubleValue : Number.NaN,
    );
  const x = number(a);
  const y = number(b);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Compares the ids of a path: numeric ids (`__id7__`) first, by number. */
function compareIds(a: string, b: string): number {
  const numeric = /^__id(-?\d+)__$/;
  const x = numeric.exec(a)?.[1];
  const y = numeric.exec(b)?.[1];
  if (x !== undefined && y !== undefined) return BigInt(x) < BigInt(y) ? -1 : BigInt(x) > BigInt(y) ? 1 : 0;
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return compareText(a, b);
}

/** Compares two resource names segment by segment. */
export function compareNames(a: string, b: string): number {
  const x = a.split('/');
  const y = b.split('/');
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const order = compareIds(x[i] ?? '', y[i] ?? '');
    if (order !== 0) return order;
  }
  return x.length - y.length;
}

/** Makes timestamps of different precision comparable as text. */
function padded(timestamp: string): string {
  const [whole = '', fraction = ''] = timestamp.replace('Z', '').split('.');
  return `${whole}.${fraction.padEnd(9, '0')}`;
}

function compareBytes(a: string, b: string): number {
  return compareText(atob(a), atob(b));
}

function compareFields(a: WireFields = {}, b: WireFields = {}): number {
  const keysA = Object.keys(a).sort(compareText);
  const keysB = Object.keys(b).sort(compareText);
  for (let i = 0; i < Math.min(keysA.length, keysB.length); i++) {
    const keyA = keysA[i] ?? '';
    const keyB = keysB[i] ?? '';
    const order = compareText(keyA, keyB) || compareOptional(a[keyA], b[keyB]);
    if (order !== 0) return order;
  }
  return keysA.length - keysB.length;
}

function compareOptional(a: WireValue | undefined, b: WireValue | undefined): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  return compareValues(a, b);
}

/** The database's order over all values. */
export function compareValues(a: WireValue, b: WireValue): number {
  const byRank = rank(a) - rank(b);
  if (byRank !== 0) return byRank;
  if ('stringValue' in a && 'stringValue' in b) return compareText(a.stringValue, b.stringValue);
  if ('booleanValue' in a && 'booleanValue' in b) return Number(a.booleanValue) - Number(b.booleanValue);
  if ('timestampValue' in a && 'timestampValue' in b) {
    return compareText(padded(a.timestampValue), padded(b.timestampValue));
  }
  if ('bytesValue' in a && 'bytesValue' in b) return compareBytes(a.bytesValue, b.bytesValue);
  if ('referenceValue' in a && 'referenceValue' in b) return compareNames(a.referenceValue, b.referenceValue);
  if ('geoPointValue' in a && 'geoPointValue' in b) {
    return (
      (a.geoPointValue.latitude ?? 0) - (b.geoPointValue.latitude ?? 0) ||
      (a.geoPointValue.longitude ?? 0) - (b.geoPointValue.longitude ?? 0)
    );
  }
  if ('arrayValue' in a && 'arrayValue' in b) {
    const x = a.arrayValue.values ?? [];
    const y = b.arrayValue.values ?? [];
    for (let i = 0; i < Math.min(x.length, y.length); i++) {
      const order = compareOptional(x[i], y[i]);
      if (order !== 0) return order;
    }
    return x.length - y.length;
  }
  if ('mapValue' in a && 'mapValue' in b) return compareFields(a.mapValue.fields, b.mapValue.fields);
  if ('nullValue' in a) return 0;
  return compareNumbers(a, b);
}

/** Splits `a.b` and `` `odd name`.b `` into names. */
export function namesOf(fieldPath: string): string[] {
  const names: string[] = [];
  for (const match of fieldPath.matchAll(/`((?:[^`\\]|\\.)*)`|([^.`]+)/g)) {
    names.push(match[2] ?? (match[1] ?? '').replace(/\\(.)/g, '$1'));
  }
  return names;
}

/** A field of a document; undefined if there is none. */
export function fieldOf(
  document: Pick<WireDocument, 'fields'>,
  names: readonly string[],
): WireValue | undefined {
  let fields = document.fields;
  let value: WireValue | undefined;
  for (const name of names) {
    value = fields?.[name];
    fields = value && 'mapValue' in value ? value.mapValue.fields : undefined;
  }
  return value;
}

/** The order of a query's results. */
export function documentOrder(orders: readonly WireOrder[]): (a: WireDocument, b: WireDocument) => number {
  const keys = orders.map((order) => ({
    sign: order.direction === 'DESCENDING' ? -1 : 1,
    names: order.field.fieldPath === '__name__' ? undefined : namesOf(order.field.fieldPath),
  }));
  return (a, b) => {
    for (const { sign, names } of keys) {
      const order = names
        ? compareOptional(fieldOf(a, names), fieldOf(b, names))
        : compareNames(a.name, b.name);
      if (order !== 0) return order * sign;
    }
    return 0;
  };
}
