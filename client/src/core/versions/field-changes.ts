import type { Json, JsonObject } from '../archive/bundle.ts';
import { own } from '../records.ts';
import { sameDocument } from '../scene/changes/same-document.ts';

/** A field of a document that two states do not have alike; `undefined` where one has none. */
export interface FieldChange {
  readonly field: string;
  /** Its name for people. */
  readonly label: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Fields that say only when or how often something was written. */
const SILENT: ReadonlySet<string> = new Set(['updatedAt', 'createdAt', 'revision']);

/**
 * Fields that differ, the labelled ones first and in their order.
 * @param skipped fields that are told elsewhere
 */
export function fieldChanges(
  before: JsonObject | null,
  after: JsonObject | null,
  labels: Readonly<Record<string, string>>,
  skipped: ReadonlySet<string> = new Set(),
): FieldChange[] {
  const known = Object.keys(labels);
  const all = new Set([...known, ...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...all].flatMap((field): FieldChange[] => {
    if (SILENT.has(field) || skipped.has(field)) return [];
    const [was, is] = [before ? own(before, field) : undefined, after ? own(after, field) : undefined];
    if (sameDocument(was, is)) return [];
    return [{ field, label: own(labels, field) ?? field, before: was, after: is }];
  });
}

/** Longest value that is said whole. */
const MAX_SAID = 80;

/** A value in words; `''` for none. */
export function valueWords(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    const items = value.map(valueWords);
    return items.every((item, at) => item !== '' && typeof value[at] !== 'object') ? items.join(', ') : '';
  }
  const text = Object.entries(value)
    .map(([key, one]) => `${key} ${valueWords(one)}`)
    .join(', ');
  return text.length <= MAX_SAID ? text : '';
}
