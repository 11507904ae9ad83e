/** Longest chain of styles that is followed; a style may name itself. */
const MAX_BASES = 20;

interface Style {
  readonly name: string;
  readonly base: string;
  /** Level as Word counts it, from 0; 9 is text. Empty where the style leaves it to its base. */
  readonly outline: string;
}

/**
 * Levels of the paragraph styles that are headings, by the ids of the styles: those called `heading 1`, those with an
 * outline level, and those based on one of them.
 * @param styles the part `word/styles.xml`
 */
export function headingStyles(styles: string): ReadonlyMap<string, number> {
  const all = stylesIn(styles);
  const levels = new Map<string, number>();
  for (const id of all.keys()) {
    const level = levelOf(all, id);
    if (level !== undefined) levels.set(id, level);
  }
  return levels;
}

function stylesIn(xml: string): ReadonlyMap<string, Style> {
  const found = new Map<string, Style>();
  for (const part of xml.split(/<w:style(?=\s)/).slice(1)) {
    const [style = ''] = part.split('</w:style>', 1);
    const id = /^[^>]*\sw:styleId="([^"]*)"/.exec(style)?.[1];
    if (id === undefined || !/^[^>]*\sw:type="paragraph"/.test(style) || found.has(id)) continue;
    const value = (tag: string): string =>
      new RegExp(`<w:${tag}\\s[^>]*?w:val="([^"]*)"`).exec(style)?.[1] ?? '';
    found.set(id, { name: value('name'), base: value('basedOn'), outline: value('outlineLvl') });
  }
  return found;
}

function levelOf(all: ReadonlyMap<string, Style>, id: string): number | undefined {
  let style = all.get(id);
  for (let step = 0; style && step < MAX_BASES; step++) {
    const named = /^heading ([1-9])$/i.exec(style.name)?.[1];
    if (named !== undefined) return Number(named);
    if (style.outline !== '') return /^[0-8]$/.test(style.outline) ? Number(style.outline) + 1 : undefined;
    style = all.get(style.base);
  }
  return undefined;
}
