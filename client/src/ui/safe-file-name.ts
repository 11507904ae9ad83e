/** Letters that file systems do not take. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[\\/:*?"<>|\u0000-\u001f]+/g;

/** A name that every file system takes. */
export const safeFileName = (name: string): string => name.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
