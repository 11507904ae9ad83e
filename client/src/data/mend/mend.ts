import type * as z from 'zod';

/** A place that mending changes. */
export interface MendedPlace {
  /** Keys and indices from the document down. */
  readonly path: readonly (string | number)[];
  /** Stored value; `undefined` for one that is missing. */
  readonly before: unknown;
  /** Value that takes its place; `undefined` takes it out. */
  readonly after: unknown;
}

export interface Mended {
  /** The whole document, readable. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly changes: readonly MendedPlace[];
}

/** Most changes of one document; one that needs more is not mended. */
export const MAX_CHANGES = 200;
/** Name of a thing that has none. */
const NO_NAME = 'Unnamed';

type Path = readonly (string | number)[];
type Issue = z.core.$ZodIssue;
type Container = Record<string | number, unknown>;

/**
 * Finds the smallest change that makes a stored document readable: a value is put into the right form if it has one,
 * else it goes, else its default takes its place; only if all that fails goes what it is a part of.
 * @param like a valid document of the kind, for parts that have no simple default
 * @returns undefined when no change helps, or too many are needed
 */
export function mend(
  schema: z.ZodType,
  stored: Readonly<Record<string, unknown>>,
  like: Readonly<Record<string, unknown>> = {},
): Mended | undefined {
  let data = stored;
  const changes: MendedPlace[] = [];
  for (;;) {
    const issues = schema.safeParse(data).error?.issues;
    const issue = issues?.[0];
    if (!issue) return { data, changes };
    if (changes.length >= MAX_CHANGES) return undefined;
    const next = firstThatHelps(schema, data, like, issue, issues.length);
    if (!next) return undefined;
    data = next.data;
    changes.push(next.change);
  }
}

function firstThatHelps(
  schema: z.ZodType,
  data: Readonly<Record<string, unknown>>,
  like: Readonly<Record<string, unknown>>,
  issue: Issue,
  before: number,
): { data: Readonly<Record<string, unknown>>; change: MendedPlace } | undefined {
  for (let length = issue.path.length; length > 0; length--) {
    const path = issue.path.slice(0, length).map((key) => (typeof key === 'number' ? key : String(key)));
    const old = valueAt(data, path);
    const model = valueAt(like, path);
    const own = length === issue.path.length ? candidatesFor(issue, path, old) : [undefined];
    const candidates = model === undefined ? own : [...own, model];
    for (const after of candidates) {
      if (after === old && old !== undefined) continue;
      const changed = withValue(data, path, after);
      const left = schema.safeParse(changed).error?.issues ?? [];
      const still = left.some((one) => startsWith(one.path, path));
      if (!still || left.length < before) return { data: changed, change: { path, before: old, after } };
    }
  }
  return undefined;
}

/** Values to try in the place of one that does not fit; `undefined` takes it out. */
function candidatesFor(issue: Issue, path: Path, old: unknown): unknown[] {
  const converted: unknown[] = [];
  if (typeof old === 'number' || typeof old === 'boolean') converted.push(String(old));
  if (typeof old === 'string' && old.trim() !== '' && Number.isFinite(Number(old)))
    converted.push(Number(old));
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  const defaults: Readonly<Record<string, unknown>> = {
    string: path.at(-1) === 'name' ? NO_NAME : '',
    number: 0,
    int: 0,
    boolean: false,
    array: [],
    object: {},
    record: {},
  };
  const fallback = expected !== undefined && expected in defaults ? [defaults[expected]] : [];
  const allowed = issue.code === 'invalid_value' ? issue.values.slice(0, 1) : [];
  const bound =
    issue.code === 'too_small' ? [issue.minimum] : issue.code === 'too_big' ? [issue.maximum] : [];
  const nearest = typeof old === 'number' ? bound.map(Number) : [];
  return [...converted, ...nearest, undefined, ...fallback, ...allowed];
}

const startsWith = (path: readonly PropertyKey[], start: Path): boolean =>
  start.every((key, i) => String(path[i]) === String(key));

const isContainer = (value: unknown): value is Container => {
  if (Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** A copy with another value in one place; arrays close up around what is taken out. */
function withValue(
  data: Readonly<Record<string, unknown>>,
  path: Path,
  after: unknown,
): Readonly<Record<string, unknown>> {
  return replaced(data, path, after) as Readonly<Record<string, unknown>>;
}

function replaced(value: unknown, [key, ...rest]: Path, after: unknown): unknown {
  if (key === undefined) return after;
  if (Array.isArray(value)) {
    const copy = [...value];
    const next = replaced(copy[Number(key)], rest, after);
    if (rest.length === 0 && after === undefined) copy.splice(Number(key), 1);
    else copy[Number(key)] = next;
    return copy;
  }
  const copy: Record<string, unknown> = Object.assign(Object.create(null), isContainer(value) ? value : {});
  const name = String(key);
  if (rest.length === 0 && after === undefined) delete copy[name];
  else copy[name] = replaced(copy[name], rest, after);
  return copy;
}
