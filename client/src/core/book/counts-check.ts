import type { Finding } from './checks.ts';
import type { Project } from './context.ts';
import type { Block, Rulebook } from './schema.ts';
import { allBlocks, inlinesOf, plainText } from './walk.ts';

/** Headings of the chapter that says what is in the box. */
const CONTENTS = /components?|contents|in the box|material|inhalt|matériel|componenti|componentes/i;
/** Words before a number that say that it is all there is. */
const ALL = /(?:all|the|these|of|has|have|are|is|contains?|includes?|with|comprises?)\s+(?:the\s+)?$/i;
/** A number this close to the count, as a share of it, was the count once; a deck has so many cards at least. */
const [NEAR, DECK] = [0.25, 10];

/**
 * Numbers in the text that disagree with the project: “54 cards”, and there are 52. “Draw 2 cards” is none: a number
 * counts a component only where the text says what is in the box, where it says that it is all there is, or where it is
 * nearly right.
 */
export function countFindings(doc: Rulebook, project: Project): Finding[] {
  const findings: Finding[] = [];
  let inContents = false;
  for (const block of allBlocks(doc.blocks)) {
    if (block.type === 'heading') inContents = CONTENTS.test(plainText(block.content));
    for (const { name, count } of project.components) {
      const wrong = wrongCount(block, name, count, inContents);
      if (wrong === undefined) continue;
      const message = `This text says ${wrong} ${name}, and the project has ${count}: correct it, or insert the number as a value, which follows the project.`;
      findings.push({ code: 'count-differs', block: block.id, message });
    }
  }
  return findings;
}

/** The first number of a component in a block that cannot be right. */
function wrongCount(block: Block, name: string, count: number, inContents: boolean): number | undefined {
  const pattern = countPattern(name);
  if (!pattern) return undefined;
  const rows = block.type === 'table' ? block.rows : [];
  const texts = [
    ...inlinesOf(block).map(plainText),
    // A table of contents has the number and the name in cells side by side.
    ...rows.map((cells) => cells.map(plainText).join(' ')),
  ];
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
  const stem = given.replace(/s$/i, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `(?<![\\p{L}\\p{N}.,–-])(\\d{1,5})(?:\\s*[×x])?\\s+${stem.replace(/\s+/g, '\\s+')}(?:s|en|e|n)?(?![\\p{L}\\p{N}])`,
    'giu',
  );
}
