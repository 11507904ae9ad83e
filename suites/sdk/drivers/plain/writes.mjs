/** The suite's writes as the REST interface writes them. */

import { encode, GONE, Transform } from './values.mjs';

/** A field's path, in steps. */
export class FieldPath {
  constructor(...steps) {
    this.steps = steps;
  }
}

/** A path as text: what is no plain name stands in backticks. */
const text = (steps) =>
  steps
    .map((step) => (/^[A-Za-z_]\w*$/.test(step) ? step : `\`${step.replace(/[\\`]/g, '\\$&')}\``))
    .join('.');

/** The maps on the way that the interface's values need around `value`. */
function place(fields, steps, value) {
  const [first, ...rest] = steps;
  if (rest.length === 0) {
    fields[first] = value;
    return;
  }
  fields[first] ??= { mapValue: { fields: {} } };
  place(fields[first].mapValue.fields, rest, value);
}

const isMap = (value) =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;

/** The leaves of a document: an empty map is one. */
function leaves(data, steps = []) {
  return Object.entries(data).flatMap(([key, value]) => {
    const path = [...steps, key];
    return isMap(value) && Object.keys(value).length > 0 ? leaves(value, path) : [[path, value]];
  });
}

/** A write from leaves: what has a value goes into the document, what is to be made is a transform. */
function write(name, entries, root, masked) {
  const fields = {};
  const mask = [];
  const updateTransforms = [];
  for (const [steps, value] of entries) {
    if (value instanceof Transform) {
      updateTransforms.push({ fieldPath: text(steps), ...value.make(root) });
      continue;
    }
    mask.push(text(steps));
    if (value !== GONE) place(fields, steps, encode(value, root));
  }
  return {
    update: { name, fields },
    ...(masked && { updateMask: { fieldPaths: mask } }),
    ...(updateTransforms.length > 0 && { updateTransforms }),
  };
}

/** `set`: whole, merged, or only some of the fields. */
export function set(name, data, { merge = false, mergeFields } = {}, root) {
  if (mergeFields) {
    const entries = mergeFields.map((field) => [[field], data[field]]);
    return write(name, entries, root, true);
  }
  return write(name, leaves(data), root, merge);
}

/** `update`: an object of fields, dots leading into maps, or paths and values in turn. */
export function update(name, [first, ...rest], root) {
  const pairs =
    first instanceof FieldPath
      ? [first, ...rest].flatMap((path, at, all) => (at % 2 === 0 ? [[path.steps, all[at + 1]]] : []))
      : Object.entries(first).map(([path, value]) => [path.split('.'), value]);
  return { ...write(name, pairs, root, true), currentDocument: { exists: true } };
}
