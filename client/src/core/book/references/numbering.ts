import type { Block, Heading, Inline, Rulebook } from '../document/schema.ts';
import { allBlocks, plainText } from '../document/walk.ts';

/** A place that references lead to. */
export interface Place {
  /** Such as `3` for a chapter, `3.2` for a section, `3.2.1` for a rule; empty where there is none. */
  readonly number: string;
  readonly title: string;
}

/** A heading in reading order. */
export interface Chapter {
  readonly id: string;
  readonly level: Heading['level'];
  readonly number: string;
  readonly title: string;
}

export interface Numbering {
  readonly places: ReadonlyMap<string, Place>;
  readonly headings: readonly Chapter[];
}

/** The words of a title in one line, with what its formulas came to. */
const titleOf = (content: readonly Inline[], textOf: (formula: string) => string): string =>
  content
    .map((inline) => {
      if (inline.type === 'value') return textOf(inline.formula);
      return inline.type === 'icon' ? inline.name : plainText([inline]);
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Numbers headings, rules, tables and figures, and names what references lead to.
 * @param textOf the text of a formula, as it stands where the title does
 */
export function numberBlocks(doc: Rulebook, textOf: (formula: string) => string): Numbering {
  const places = new Map<string, Place>();
  const headings: Chapter[] = [];
  const chapter = [0, 0, 0, 0];
  const rules = [0, 0, 0];
  let figures = 0;
  let tables = 0;
  const numberOf = (block: Block): Place => {
    switch (block.type) {
      case 'heading': {
        chapter[block.level - 1] = (chapter[block.level - 1] ?? 0) + 1;
        chapter.fill(0, block.level);
        if (block.level === 1) rules.fill(0);
        const number = chapter.slice(0, block.level).join('.');
        const title = titleOf(block.content, textOf);
        headings.push({ id: block.id, level: block.level, number, title });
        return { number, title };
      }
      case 'rule':
        rules[block.depth - 1] = (rules[block.depth - 1] ?? 0) + 1;
        rules.fill(0, block.depth);
        return {
          number: [chapter[0], ...rules.slice(0, block.depth)].join('.'),
          title: titleOf(block.content, textOf),
        };
      case 'definition':
        return { number: '', title: block.term };
      case 'table':
        return { number: `${++tables}`, title: titleOf(block.caption, textOf) };
      case 'figure':
        return { number: `${++figures}`, title: titleOf(block.caption, textOf) };
      default:
        return { number: '', title: '' };
    }
  };
  for (const block of allBlocks(doc.blocks)) places.set(block.id, numberOf(block));
  return { places, headings };
}
