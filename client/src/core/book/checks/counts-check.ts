import { escapePattern } from '../../text/escape-pattern.ts';
import type { Block, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import type { Project } from '../typesetting/context.ts';
import type { Finding } from './checks.ts';

/** Headings of the chapter that says what is in the box. */
const CONTENTS = /components?|contents|in the box|material|inhalt|matériel|componenti|componentes/i;
/** A number this close to the count, as a share of it, was the count once; a deck has so many cards at least. */
const [NEAR, DECK] = [0.25, 10];
/** After *the* or *all*, a number that is further from the count than this factor speaks of some of them. */
const FAR = 1.5;
/** Words after which a number is that of all there are, wherever they lie, and those after which it may be. */
const ALL = /\ball\s+(?:of\s+)?(?:the\s+|these\s+)?$/i;
const THESE = /\b(?:the|these)\s+$/i;
/** Words after which a number measures something else: “after 50 cards”, “an enemy with 20 tokens”. */
const MEASURE = /\b(?:at|after|before|with|of|for|by|to|than|a)\s+$/i;
/** The game, its box or its deck, and what it has. */
const WHOLE =
  /\b(?:the|this|our|whole|entire)\s+(?:[\p{L}-]+\s+){0,2}?(?:game|box|deck|pack|set)\s+(?:now\s+)?(?:has|have|holds?|contains?|includes?|comprises?|consists\s+of|comes\s+with|is\s+made\s+of)\s+(?:a\s+total\s+of\s+|all\s+)?$/iu;
const THERE_ARE = /^\s*(?:in\s+(?:all|total),?\s+)?there\s+(?:are|is)\s+(?:a\s+total\s+of\s+)?$/i;
/** Words of a clause that speaks of somebody's pieces, or of some of them. */
const SOME =
  /\b(?:you|yours?|they|their|his|her|players?|opponents?|winner|loser|everyone|everybody|who|each|every|per|any|hands?|if|when|once|whenever|while|until|unless|least|most|more|fewer|less|exactly|only|up\s+to|or|other|another|first|last|next|top|bottom|left|remain(?:s|ing)?|drawn|discard(?:s|ed)?|played|revealed|worth|costs?)\b/i;
/** A place other than the game: “3 cards on the beach”. “In a row” is where all of them may go. */
const SOMEWHERE =
  /^\s+(?:[\p{L}-]+\s+){0,2}?(?:in(?!\s+an?\b)|on|at|under|beside|from|face|next|with|that|which)\b(?!\s+(?:(?:the|this)\s+)?(?:box|game|deck|pack|set|all|total))/iu;
/** Ends of clauses. */
const CLAUSE_END = /[.;:!?()–—\n]\s*|,\s+|\s+(?:and|but|so|then)\s+/gi;

/**
 * Numbers in the text that disagree with the project: “54 cards”, and there are 52. “Draw 2 cards” is none: a number
 * counts a component only where the text lists what is in the box, where its clause says that it is all there is, or
 * where it is nearly right; never where the clause speaks of a player, of a place, or of some of them.
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
      if (said !== count && countsAll(clauseAround(text, match), said, count, inContents)) return said;
    }
  }
  return undefined;
}

interface Clause {
  /** The words before the number, and those after the name. */
  readonly before: string;
  readonly after: string;
}

function clauseAround(text: string, { index, 0: whole }: RegExpExecArray): Clause {
  const [start, end] = [index, index + whole.length];
  let from = 0;
  let to = text.length;
  for (const mark of text.matchAll(CLAUSE_END)) {
    const after = mark.index + mark[0].length;
    if (after <= start) from = after;
    else if (mark.index >= end) {
      to = mark.index;
      break;
    }
  }
  return { before: text.slice(from, start), after: text.slice(end, to) };
}

/** True if a number can only be that of all pieces of a component. */
function countsAll({ before, after }: Clause, said: number, count: number, inContents: boolean): boolean {
  if (SOME.test(before) || SOME.test(after)) return false;
  const likely = said * FAR >= count && said <= count * FAR;
  if (ALL.test(before) && likely) return true;
  if (SOMEWHERE.test(after)) return false;
  if (inContents && before.trim() === '') return true;
  if (WHOLE.test(before) || THERE_ARE.test(before)) return true;
  if (THESE.test(before) && likely) return true;
  return count >= DECK && Math.abs(said - count) <= count * NEAR && !MEASURE.test(before);
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
