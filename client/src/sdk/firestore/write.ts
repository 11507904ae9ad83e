import { encodeNumber, encodeValue } from './codec.ts';
import type { Database } from './database.ts';
import { FirestoreError } from './error.ts';
import { FieldValue } from './field-value.ts';
import { FieldPath, toFieldPath } from './path.ts';
import { type CollectionReference, type DocumentData, type DocumentReference, doc } from './reference.ts';
import { post } from './rest.ts';
import type { WireFields, WirePrecondition, WireTransform, WireValue, WireWrite } from './types.ts';

/** Options of `setDoc`. */
export interface SetOptions {
  /** Keep the fields that are not given. */
  merge?: boolean;
  /** Write these fields only. */
  mergeFields?: (string | FieldPath)[];
}

/** Data split into its wire parts. */
interface Split {
  fields: WireFields;
  /** Paths of every leaf that is set or deleted. */
  mask: FieldPath[];
  transforms: WireTransform[];
}

function transformFor(database: Database, path: FieldPath, value: FieldValue): WireTransform | undefined {
  const fieldPath = path.canonical();
  const { operation } = value;
  const encodeAll = (elements: readonly unknown[]): WireValue[] =>
    elements.map((element, i) => encodeValue(database, element, `${fieldPath}[${i}]`));
  switch (operation.kind) {
    case 'serverTimestamp':
      return { fieldPath, setToServerValue: 'REQUEST_TIME' };
    case 'increment':
      return { fieldPath, increment: encodeNumber(operation.by) };
    case 'arrayUnion':
      return { fieldPath, appendMissingElements: { values: encodeAll(operation.elements) } };
    case 'arrayRemove':
      return { fieldPath, removeAllFromArray: { values: encodeAll(operation.elements) } };
    case 'delete':
      return undefined;
  }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** Takes markers out of nested data and lists the leaves it writes. */
function split(
  database: Database,
  data: Record<string, unknown>,
  prefix: readonly string[],
  out: Split,
): WireFields {
  const fields: WireFields = {};
  for (const [key, value] of Object.entries(data)) {
    if (value === undefined && database.ignoreUndefined) continue;
    const path = new FieldPath(...prefix, key);
    if (value instanceof FieldValue) {
      const transform = transformFor(database, path, value);
      if (transform) out.transforms.push(transform);
      else out.mask.push(path);
    } else if (isPlainObject(value) && Object.keys(value).length > 0) {
      const before = out.mask.length + out.transforms.length;
      const inner = split(database, value, path.segments, out);
      // A map that holds nothing but markers is made by them; it is no value of its own.
      const onlyMarkers = Object.keys(inner).length === 0 && out.mask.length + out.transforms.length > before;
      if (!onlyMarkers) fields[key] = { mapValue: { fields: inner } };
    } else {
      fields[key] = encodeValue(database, value, path.canonical());
      out.mask.push(path);
    }
  }
  return fields;
}

function hasDelete(data: unknown): boolean {
  if (data instanceof FieldValue) return data.operation.kind === 'delete';
  return isPlainObject(data) && Object.values(data).some(hasDelete);
}

/** The write of `setDoc`. */
export function setWrite(
  database: Database,
  ref: DocumentReference<unknown>,
  data: DocumentData,
  options: SetOptions = {},
): WireWrite {
  const out: Split = { fields: {}, mask: [], transforms: [] };
  const name = ref.wireName;
  const merging = options.merge === true || options.mergeFields !== undefined;
  if (!merging && hasDelete(data)) {
    throw new FirestoreError(
      'invalid-argument',
      'deleteField() needs updateDoc(), or setDoc() with {merge: true}.',
    );
  }
  const fields = split(database, data, [], out);
  let mask = out.mask;
  let transforms = out.transforms;
  if (options.mergeFields) {
    const wanted = options.mergeFields.map(toFieldPath);
    const covers = (path: readonly string[]) =>
      wanted.some((one) => one.segments.every((segment, i) => path[i] === segment));
    transforms = transforms.filter((one) => covers(one.fieldPath.split('.')));
    const transformed = new Set(transforms.map((one) => one.fieldPath));
    mask = wanted.filter((one) => !transformed.has(one.canonical()));
  }
  return {
    update: { name, fields },
    ...(merging && { updateMask: { fieldPaths: mask.map((path) => path.canonical()) } }),
    ...(transforms.length > 0 && { updateTransforms: transforms }),
  };
}

function setAt(fields: WireFields, segments: readonly string[], value: WireValue): void {
  const [first, ...rest] = segments;
  if (first === undefined) return;
  if (rest.length === 0) {
    fields[first] = value;
    return;
  }
  const existing = fields[first];
  const map = existing && 'mapValue' in existing ? existing : { mapValue: { fields: {} } };
  map.mapValue.fields ??= {};
  fields[first] = map;
  setAt(map.mapValue.fields, rest, value);
}

/** The write of `updateDoc`: each key is a path, each value replaces what is there. */
export function updateWrite(
  database: Database,
  ref: DocumentReference<unknown>,
  entries: readonly (readonly [FieldPath, unknown])[],
): WireWrite {
  const fields: WireFields = {};
  const mask: FieldPath[] = [];
  const transforms: WireTransform[] = [];
  for (const [path, value] of entries) {
    if (value === undefined && database.ignoreUndefined) continue;
    if (value instanceof FieldValue) {
      const transform = transformFor(database, path, value);
      if (transform) transforms.push(transform);
      else mask.push(path);
      continue;
    }
    mask.push(path);
    if (isPlainObject(value)) {
      const inner: Split = { fields: {}, mask: [], transforms: [] };
      const members = split(database, value, path.segments, inner);
      transforms.push(...inner.transforms);
      setAt(fields, path.segments, { mapValue: { fields: members } });
    } else {
      setAt(fields, path.segments, encodeValue(database, value, path.canonical()));
    }
  }
  return {
    update: { name: ref.wireName, fields },
    updateMask: { fieldPaths: mask.map((path) => path.canonical()) },
    ...(transforms.length > 0 && { updateTransforms: transforms }),
    currentDocument: { exists: true },
  };
}

/** The arguments of `updateDoc` after the reference, as paths and values. */
export function updateEntries(
  dataOrField: DocumentData | string | FieldPath,
  rest: readonly unknown[],
): (readonly [FieldPath, unknown])[] {
  if (typeof dataOrField !== 'string' && !(dataOrField instanceof FieldPath)) {
    return Object.entries(dataOrField).map(([key, value]) => [toFieldPath(key), value] as const);
  }
  const list = [dataOrField, ...rest];
  const entries: (readonly [FieldPath, unknown])[] = [];
  for (let i = 0; i < list.length; i += 2) {
    entries.push([toFieldPath(list[i] as string | FieldPath), list[i + 1]] as const);
  }
  return entries;
}

/** The write of `deleteDoc`. */
export function deleteWrite(ref: DocumentReference<unknown>, currentDocument?: WirePrecondition): WireWrite {
  return { delete: ref.wireName, ...(currentDocument && { currentDocument }) };
}

/** Commits writes as one. */
export async function commit(database: Database, writes: readonly WireWrite[]): Promise<void> {
  if (writes.length === 0) return;
  await database.ready?.();
  await post(database, `${database.root}:commit`, { writes });
}

/** Writes a document; whatever was there is replaced unless merging. */
export async function setDoc<T>(
  ref: DocumentReference<T>,
  data: DocumentData,
  options?: SetOptions,
): Promise<void> {
  const database = ref.firestore as Database;
  await commit(database, [setWrite(database, ref, data, options)]);
}

/** Changes fields of a document that exists; `a.b` names a field of a map. */
export async function updateDoc<T>(
  ref: DocumentReference<T>,
  dataOrField: DocumentData | string | FieldPath,
  ...rest: unknown[]
): Promise<void> {
  const database = ref.firestore as Database;
  await commit(database, [updateWrite(database, ref, updateEntries(dataOrField, rest))]);
}

/** Deletes a document; no error when there is none. */
export async function deleteDoc<T>(ref: DocumentReference<T>): Promise<void> {
  await commit(ref.firestore as Database, [deleteWrite(ref)]);
}

/** Writes a new document with an id of its own. */
export async function addDoc<T>(
  collection: CollectionReference<T>,
  data: DocumentData,
): Promise<DocumentReference<T>> {
  const ref = doc(collection as CollectionReference) as DocumentReference<T>;
  const database = ref.firestore as Database;
  const write = { ...setWrite(database, ref, data), currentDocument: { exists: false } };
  await commit(database, [write]);
  return ref;
}

/** Several writes that are committed as one. */
export class WriteBatch {
  readonly #database: Database;
  readonly #writes: WireWrite[] = [];
  #done = false;

  constructor(database: Database) {
    this.#database = database;
  }

  set<T>(ref: DocumentReference<T>, data: DocumentData, options?: SetOptions): this {
    return this.#add(setWrite(this.#database, ref, data, options));
  }

  update<T>(
    ref: DocumentReference<T>,
    dataOrField: DocumentData | string | FieldPath,
    ...rest: unknown[]
  ): this {
    return this.#add(updateWrite(this.#database, ref, updateEntries(dataOrField, rest)));
  }

  delete<T>(ref: DocumentReference<T>): this {
    return this.#add(deleteWrite(ref));
  }

  async commit(): Promise<void> {
    this.#assertOpen();
    this.#done = true;
    await commit(this.#database, this.#writes);
  }

  #add(write: WireWrite): this {
    this.#assertOpen();
    this.#writes.push(write);
    return this;
  }

  #assertOpen(): void {
    if (this.#done) {
      throw new FirestoreError('failed-precondition', 'This batch has been committed: start a new one.');
    }
  }
}
