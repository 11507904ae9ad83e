/** Names as a list in a sentence: `Ann, Bob and Eve`. */
export const listInWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
