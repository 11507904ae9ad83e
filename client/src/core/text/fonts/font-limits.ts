/** Largest font file taken in, in bytes: room for a family of Chinese or Japanese. */
export const MAX_FONT_BYTES = 20 * 1024 * 1024;
