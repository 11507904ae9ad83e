import type { Json, JsonObject } from '../../../core/archive/bundle.ts';

/** A document's fields as JSON: times become milliseconds since 1970; what JSON has no word for is left out. */
export function toJson(fields: Readonly<Record<string, unknown>>): JsonObject {
  const entries = Object.entries(fields).flatMap(([key, value]) => {
    const json = jsonOf(value);
    return json === undefined ? [] : [[key, json] as const];
  });
  return Object.fromEntries(entries);
}

function jsonOf(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item) => jsonOf(item) ?? null);
  if (typeof value !== 'object') return undefined;
  if ('toMillis' in value && typeof value.toMillis === 'function') return Number(value.toMillis());
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  return toJson(value as Record<string, unknown>);
}
