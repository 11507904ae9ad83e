/** Bytes searched for the first element. */
const HEAD_BYTES = 4_096;
/** With all that may come before it, each read in one way: comments with several possible ends would be tried with all. */
const FIRST_ELEMENT =
  /^\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<(?:\w+:)?svg[\s>]/i;

/** True if a file is an SVG, by its first element. */
export const isSvg = (bytes: Uint8Array): boolean =>
  FIRST_ELEMENT.test(decodeSvg(bytes.subarray(0, HEAD_BYTES)));

/** An SVG's text: UTF-16 if it begins with a byte order mark of that, else UTF-8. */
export function decodeSvg(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const wide =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : '';
  return new TextDecoder(wide || 'utf-8').decode(bytes);
}
