import { encodeNumber } from '../firestore/codec.ts';
import { FirestoreError } from '../firestore/error.ts';
import { compareValues, fieldOf, namesOf } from '../firestore/listen/order.ts';
import type {
  WireDocument,
  WireFields,
  WirePrecondition,
  WireTransform,
  WireValue,
  WireWrite,
} from '../firestore/types.ts';

/** Documents by wire name; `null` for one that is deleted. */
export type Changes = Map<string, WireDocument | null>;

/**
 * The documents that a commit leaves behind: all of its writes, in order.
 * @param read a document as it is before the commit
 * @param time of the commit, as the wire writes it
 * @throws FirestoreError when a condition of a write does not hold; then none of them counts
 */
export function applyWrites(
  read: (name: string) => WireDocument | undefined,
  writes: readonly WireWrite[],
  time: string,
): Changes {
  const changes: Changes = new Map();
  for (const write of writes) {
    const name = nameOf(write);
    const before = changes.has(name) ? (changes.get(name) ?? undefined) : read(name);
    check(name, before, write.currentDocument);
    if (write.update) changes.set(name, updated(name, before, write, time));
    else if (write.delete !== undefined) changes.set(name, null);
  }
  return changes;
}

/** Wire name of the document that a write is about. */
export function nameOf(write: WireWrite): string {
  const name = write.update?.name ?? write.delete ?? write.verify;
  if (name === undefined) throw new FirestoreError('invalid-argument', 'A write names no document.');
  return name;
}

function check(
  name: string,
  before: WireDocument | undefined,
  { exists, updateTime }: WirePrecondition = {},
): void {
  if (exists === true && !before) throw new FirestoreError('not-found', `No document to update: ${name}`);
  if (exists === false && before) {
    throw new FirestoreError('already-exists', `Document already exists: ${name}`);
  }
  if (updateTime !== undefined && before?.updateTime !== updateTime) {
    throw new FirestoreError('failed-precondition', `${name} has changed since it was read.`);
  }
}

function updated(
  name: string,
  before: WireDocument | undefined,
  { update, updateMask, updateTransforms = [] }: WireWrite,
  time: string,
): WireDocument {
  const given = update?.fields ?? {};
  let fields = given;
  if (updateMask) {
    fields = structuredClone(before?.fields ?? {});
    for (const path of updateMask.fieldPaths) {
      const names = namesOf(path);
      put(fields, names, fieldOf({ fields: given }, names));
    }
  } else if (updateTransforms.length > 0) {
    fields = structuredClone(given);
  }
  for (const transform of updateTransforms) {
    const names = namesOf(transform.fieldPath);
    put(fields, names, transformed(fieldOf({ fields }, names), transform, time));
  }
  return { name, fields, createTime: before?.createTime ?? time, updateTime: time };
}

/** Sets a field, or takes it away if there is no value. */
function put(
  fields: WireFields,
  [first = '', ...rest]: readonly string[],
  value: WireValue | undefined,
): void {
  if (rest.length === 0) {
    if (value === undefined) delete fields[first];
    else define(fields, first, value);
    return;
  }
  const known = Object.hasOwn(fields, first) ? fields[first] : undefined;
  if (known && 'mapValue' in known) {
    known.mapValue.fields ??= {};
    put(known.mapValue.fields, rest, value);
  } else if (value !== undefined) {
    const members: WireFields = {};
    put(members, rest, value);
    define(fields, first, { mapValue: { fields: members } });
  }
}

/** Plain assignment would set the prototype for the name `__proto__`. */
function define(fields: WireFields, name: string, value: WireValue): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function transformed(before: WireValue | undefined, transform: WireTransform, time: string): WireValue {
  const { increment, appendMissingElements, removeAllFromArray } = transform;
  if (increment) return sum(before, increment);
  if (appendMissingElements || removeAllFromArray) {
    const elements = before && 'arrayValue' in before ? (before.arrayValue.values ?? []) : [];
    const has = (values: readonly WireValue[], value: WireValue) =>
      values.some((one) => compareValues(one, value) === 0);
    const values = removeAllFromArray
      ? elements.filter((one) => !has(removeAllFromArray.values, one))
      : [...elements];
    for (const value of appendMissingElements?.values ?? []) if (!has(values, value)) values.push(value);
    return { arrayValue: { values } };
  }
  return { timestampValue: time };
}

const numberIn = (value: WireValue | undefined): number | undefined => {
  if (value && 'integerValue' in value) return Number(value.integerValue);
  return value && 'doubleValue' in value ? Number(value.doubleValue) : undefined;
};

function sum(before: WireValue | undefined, by: WireValue): WireValue {
  const known = numberIn(before);
  if (known === undefined || before === undefined) return by;
  const total = known + (numberIn(by) ?? 0);
  return 'integerValue' in before && 'integerValue' in by ? encodeNumber(total) : { doubleValue: total };
}
