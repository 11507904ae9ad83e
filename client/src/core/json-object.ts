/** The object that a JSON text of one's own making holds; `undefined` for a text that is none. */
export function parseJsonObject<T extends object>(text: string | undefined): Partial<T> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Partial<T>)
      : undefined;
  } catch {
    return undefined;
  }
}
