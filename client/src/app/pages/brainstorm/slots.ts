/** A stretch between braces: the name of a list, a range, or a choice, in which further ones may stand. */
export interface Slot {
  /** Ends of the stretch in its text, braces and all. */
  readonly from: number;
  readonly to: number;
  readonly inner: string;
}

/**
 * The outermost slots of a text, in order. Braces that hold others are a slot only if they are a choice: `{a|{b|c}}` is
 * one, and in `{a {b}}` it is `{b}`.
 */
export function slotsIn(text: string): readonly Slot[] {
  const found: Slot[] = [];
  const open: { readonly from: number; choice: boolean; holds: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const innermost = open.at(-1);
    if (text[at] === '{') open.push({ from: at, choice: false, holds: false });
    else if (text[at] === '|' && innermost) innermost.choice = true;
    else if (text[at] === '}' && innermost) {
      open.pop();
      const { from, choice, holds } = innermost;
      const isSlot = at > from + 1 && (choice || !holds);
      if (isSlot) {
        while ((found.at(-1)?.from ?? -1) > from) found.pop();
        found.push({ from, to: at + 1, inner: text.slice(from + 1, at) });
      }
      const around = open.at(-1);
      if (around && (isSlot || holds)) around.holds = true;
    }
  }
  return found;
}

/** The parts of a choice, `undefined` for what is none. */
export function choicesOf(inner: string): readonly string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '{') depth++;
    else if (inner[at] === '}') depth--;
    else if (inner[at] === '|' && depth === 0) {
      parts.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  return parts.length === 0 ? undefined : [...parts, inner.slice(start)];
}

/** A text with each of its outermost slots replaced. */
export function withSlots(text: string, replaced: (slot: Slot) => string): string {
  let made = '';
  let end = 0;
  for (const slot of slotsIn(text)) {
    made += text.slice(end, slot.from) + replaced(slot);
    end = slot.to;
  }
  return made + text.slice(end);
}
