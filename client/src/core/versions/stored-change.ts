import type { Json, JsonObject } from '../archive/bundle.ts';
import { own } from '../records.ts';

/** A document that two states of a project do not have alike; `null` where one has none. */
export interface StoredChange {
  /** Relative to the project: `components/c/cards/k`; `''` is the project's own document. */
  readonly path: string;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** A document that is alike in both and that changes lie below. */
export interface StoredContext {
  readonly path: string;
  readonly value: JsonObject;
}

/** True if nobody but the one state has it. */
export type Presence = 'added' | 'removed' | 'changed';

export const presenceOf = ({ before, after }: Pick<StoredChange, 'before' | 'after'>): Presence =>
  before === null ? 'added' : after === null ? 'removed' : 'changed';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field's text, or `''` where it is none. */
export function textAt(fields: JsonObject | null | undefined, name: string): string {
  const value = fields ? own(fields, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** A field's number, or 0 where it is none. */
export function numberAt(fields: JsonObject | null | undefined, name: string): number {
  const value = fields ? own(fields, name) : undefined;
  return typeof value === 'number' ? value : 0;
}

/** A field's record, or an empty one. */
export function recordAt(fields: JsonObject | null | undefined, name: string): JsonObject {
  const value = fields ? own(fields, name) : undefined;
  return isObject(value) ? value : {};
}

/** The records of an object by their names; what is none is left out. */
export function recordsOf(object: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.entries(object).flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : [])),
  );
}

/** The records of a field's list; what is none is left out. */
export function recordsAt(fields: JsonObject | null | undefined, name: string): readonly JsonObject[] {
  const value = fields ? own(fields, name) : undefined;
  return Array.isArray(value) ? value.filter(isObject) : [];
}
