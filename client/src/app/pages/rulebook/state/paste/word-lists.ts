import { OpenLists } from './open-lists.ts';

/** The level of an item, as Word writes it: `mso-list:l0 level2 lfo1`. */
const LEVEL = /mso-list:\s*l\d+\s+level(\d)/i;
/** The sign before an item, which Word writes for programs without lists. */
const SIGN = /mso-list:\s*ignore/i;
const NUMBERED = /^\(?(?:\d{1,4}|[a-z]{1,5})[.)]/i;

/** Makes lists of paragraphs that Word numbers or marks: it writes them as paragraphs with their signs. */
export function wordLists(body: HTMLElement): void {
  const lists = new OpenLists();
  let last: Element | undefined;
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[style*="mso-list"]')) {
    const level = Number(LEVEL.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    if (level === 0) continue;
    if (paragraph.previousElementSibling !== last) lists.end();
    const signs = [...paragraph.querySelectorAll('span[style]')].filter((span) =>
      SIGN.test(span.getAttribute('style') ?? ''),
    );
    const numbered = NUMBERED.test(signs[0]?.textContent?.trim() ?? '');
    for (const sign of signs) sign.remove();
    const item = lists.add(level, numbered, (list) => paragraph.before(list));
    paragraph.removeAttribute('style');
    item.append(paragraph);
    last = lists.outermost;
  }
}
