import type { Json } from './bundle.ts';

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as { readonly [key: string]: Json };
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sorted(object[key] ?? null)]),
  );
}

/** JSON on one line without spaces that is the same for the same content: keys in order. */
export const canonicalJson = (value: Json): string => JSON.stringify(sorted(value));

/** JSON that is the same for the same content: keys in order, two spaces, a line break at the end. */
export function stableJson(value: Json): string {
  return `${JSON.stringify(sorted(value), null, 2)}\n`;
}
