import { escapePattern } from '../text/escape-pattern.ts';
import type { Finding } from './checks.ts';
import type { Project } from './context.ts';
import type { Block, Rulebook } from './schema.ts';
import { allBlocks, inlinesOf, plainText } from './walk.ts';

/** Headings of the chapter that says what is in the box. */
const CONTENTS = /components?|contents|in the box|material|inhalt|matériel|componenti|componentes/i;
/** Words before a number that say that it is all there is. */
const ALL = /\b(?:all|the|these|of|has|have|are|is|contains?|includes?|with|comprises?)\s+(?:the\s+)?$/i;
/** A number this close to the count, as a share of it, was the count once; a deck has so many cards at least. */
const [NEAR, DECK] = [0.25, 10];

/**
 * Numbers in the text that disagree with the project: “54 cards”, and there are 52. “Draw 2 cards” is none: a number
 * counts a component only where the text says what is in the box, where it says that it is all there is, or where it is
 * nearly right.
 */
export function countFindings(doc: Rulebook, project: Project): Finding[] {
  const findings: Finding[] = [];
  const counted = project.components.flatMap(({ name, count }): Searched[] => {
    const pattern = countPattern(name);
    return pattern ? [{ name, count, pattern }] : [];
  });
  let inContents = false;
  for (const block of allBlocks(doc.blocks)) {
    if (block.type === 'heading') inContents = CONTENTS.test(plainText(block.content));
    const texts = textsOf(block);
    for (const one of counted) {
      const wrong = wrongCount(texts, one, inContents);
      if (wrong === undefined) continue;
      const { name, count } = one;
      const message = `This text says ${wrong} ${name}, and the project has ${count}: correct it, or insert the number as a value, which follows the project.`;
      findings.push({ code: 'count-differs', block: block.id, message });
    }
  }
  return findings;
}

/** A component, and the pattern of its number in a text. */
interface Searched {
  readonly name: string;
  readonly count: number;
  readonly pattern: RegExp;
}

/** The texts of a block that have numbers. */
function textsOf(block: Block): readonly string[] {
  const rows = block.type === 'table' ? block.rows : [];
  return [
    ...inlinesOf(block).map(plainText),
    // A table of contents has the number and the name in cells side by side.
    ...rows.map((cells) => cells.map(plainText).join(' ')),
  ].filter((text) => /\d/.test(text));
}

/** The first number of a component in the texts of a block that cannot be right. */
function wrongCount(
  texts: readonly string[],
  { count, pattern }: Searched,
  inContents: boolean,
): number | undefined {
  for (const text of texts) {
    for (const match of text.matchAll(pattern)) {
      const said = Number(match[1]);
      const all =
        inContents ||
        ALL.test(text.slice(0, match.index)) ||
        (count >= DECK && Math.abs(said - count) <= count * NEAR);
      if (all && said !== count) return said;
    }
  }
  return undefined;
}

/** “54 cards”, “54 × card”: a number before the name, which may be singular or plural. */
function countPattern(name: string): RegExp | undefined {
  const given = name.trim();
  if (given === '') return undefined;
  const stem = escapePattern(given.replace(/s$/i, ''));
  return new RegExp(
    `(?<![\\p{L}\\p{N}.,–-])(\\d{1,5})(?:\\s*[×x])?\\s+${stem.replace(/\s+/g, '\\s+')}(?:s|en|e|n)?(?![\\p{L}\\p{N}])`,
    'giu',
  );
}
