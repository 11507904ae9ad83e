import { LIMITS } from './limits.ts';
import type { Inline } from './schema.ts';

/** Content in parts that each fit into a block. */
export function fittingParts(content: readonly Inline[]): Inline[][] {
  const parts: Inline[][] = [[]];
  let length = 0;
  const put = (inline: Inline, characters: number) => {
    const full = (parts.at(-1)?.length ?? 0) >= LIMITS.inlines || length + characters > LIMITS.text;
    if (full && length > 0) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(inline);
    length += characters;
  };
  for (const inline of content) {
    if (inline.type !== 'text') put(inline, 1);
    else {
      for (let at = 0; at < inline.text.length; ) {
        const end = cutAt(inline.text, at);
        put({ ...inline, text: inline.text.slice(at, end) }, end - at);
        at = end;
      }
    }
  }
  return parts.filter((part) => part.length > 0);
}

/** The end of as much of a text as fits into a block, after a space where there is one. */
function cutAt(text: string, from: number): number {
  if (text.length - from <= LIMITS.text) return text.length;
  const space = text.lastIndexOf(' ', from + LIMITS.text - 1);
  if (space > from) return space + 1;
  // No half of a character is cut off.
  const end = from + LIMITS.text;
  return /[\uDC00-\uDFFF]/.test(text[end] ?? '') ? end - 1 : end;
}
