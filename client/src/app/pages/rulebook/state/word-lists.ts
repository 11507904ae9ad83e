/** The level of an item, as Word writes it: `mso-list:l0 level2 lfo1`. */
const LEVEL = /mso-list:\s*l\d+\s+level(\d)/i;
/** The sign before an item, which Word writes for programs without lists. */
const SIGN = /mso-list:\s*ignore/i;
const NUMBERED = /^\(?(?:\d{1,4}|[a-z]{1,5})[.)]/i;

/** Makes lists of paragraphs that Word numbers or marks: it writes them as paragraphs with their signs. */
export function wordLists(body: HTMLElement): void {
  /** The lists that are open, the outermost first. */
  let open: HTMLElement[] = [];
  let last: Element | undefined;
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[style*="mso-list"]')) {
    const level = Number(LEVEL.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    if (level === 0) continue;
    if (paragraph.previousElementSibling !== last) open = [];
    const signs = [...paragraph.querySelectorAll('span[style]')].filter((span) =>
      SIGN.test(span.getAttribute('style') ?? ''),
    );
    const tag = NUMBERED.test(signs[0]?.textContent?.trim() ?? '') ? 'OL' : 'UL';
    for (const sign of signs) sign.remove();
    open = open.slice(0, level);
    const list = open.at(-1);
    const item = document.createElement('li');
    if (list && open.length === level && list.tagName === tag) {
      list.append(item);
    } else {
      const made = document.createElement(tag);
      if (list && open.length === level) {
        list.after(made);
        open[open.length - 1] = made;
      } else {
        if (list) list.lastElementChild?.append(made);
        else paragraph.before(made);
        open.push(made);
      }
      made.append(item);
    }
    paragraph.removeAttribute('style');
    const [outermost] = open;
    item.append(paragraph);
    last = outermost;
  }
}
