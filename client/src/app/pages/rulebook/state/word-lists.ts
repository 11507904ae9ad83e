/** The level of an item, as Word writes it: `mso-list:l0 level2 lfo1`. */
const LEVEL = /mso-list:\s*l\d+\s+level(\d)/i;
/** The sign before an item, which Word writes for programs without lists. */
const SIGN = /mso-list:\s*ignore/i;
const NUMBERED = /^\(?(?:\d{1,4}|[a-z]{1,5})[.)]/i;

/** A list that is open, and the level of its items. */
interface OpenList {
  readonly level: number;
  readonly element: HTMLElement;
}

/**
 * Makes lists of paragraphs that Word numbers or marks: it writes them as paragraphs with their signs. A level that is left
 * out makes no list of its own: items of levels 1 and 3 stand one list apart.
 */
export function wordLists(body: HTMLElement): void {
  /** The lists that are open, the outermost first. */
  let open: OpenList[] = [];
  let last: Element | undefined;
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[style*="mso-list"]')) {
    const level = Number(LEVEL.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    if (level === 0) continue;
    if (paragraph.previousElementSibling !== last) open = [];
    const tag = takeSigns(paragraph);
    open = open.filter((list) => list.level <= level);
    const before = open.at(-1);
    const item = document.createElement('li');
    if (before?.level === level && before.element.tagName === tag) before.element.append(item);
    else {
      const element = document.createElement(tag);
      if (before?.level === level) {
        before.element.after(element);
        open.pop();
      } else if (before) before.element.lastElementChild?.append(element);
      else paragraph.before(element);
      open.push({ level, element });
      element.append(item);
    }
    paragraph.removeAttribute('style');
    item.append(paragraph);
    last = open[0]?.element;
  }
}

/** Removes the signs before an item. @returns the kind of list that they are of */
function takeSigns(paragraph: HTMLElement): 'OL' | 'UL' {
  const signs = [...paragraph.querySelectorAll('span[style]')].filter((span) =>
    SIGN.test(span.getAttribute('style') ?? ''),
  );
  const tag = NUMBERED.test(signs[0]?.textContent?.trim() ?? '') ? 'OL' : 'UL';
  for (const sign of signs) sign.remove();
  return tag;
}
