import type { Node as ProseNode } from 'prosemirror-model';
import { DocAttrStep, Step } from 'prosemirror-transform';
import { isDeeperThan } from '../../json-depth.ts';
import { RulebookError } from '../document/error.ts';
import { LIMITS } from '../document/limits.ts';
import type { Block, NoTerm } from '../document/schema.ts';
import { parseBlocks, toProse } from './convert.ts';
import { NoTermStep } from './no-term-step.ts';
import { proseSchema } from './schema.ts';

/**
 * The text of a rulebook is stored as steps: each holds, as JSON text, the changes that one window made together. They
 * are applied in the order of their numbers to an empty document. A step that cannot be read, does not fit, or leaves a
 * document that the schema refuses is skipped, by every client alike.
 */

/** Longest stored step, in characters; the rules say the same. */
export const MAX_STEP_LENGTH = 300_000;
/** Most changes of one stored step. */
const MAX_CHANGES = 20_000;
/** Two levels of JSON for one of nodes. */
export const MAX_JSON_DEPTH = 6 * LIMITS.depth;

/** A stored step that was skipped. */
export interface Fault {
  readonly message: string;
}

/** The document that the first step is applied to. */
export const emptyDoc = (): ProseNode =>
  proseSchema.nodes.doc.create(null, [proseSchema.nodes.paragraph.create({ id: 'start' })]);

/** The changes of a stored step. @throws RulebookError */
export function readStep(text: string): Step[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new RulebookError('It is not JSON.');
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_CHANGES) {
    throw new RulebookError(`It is not a list of 1 to ${MAX_CHANGES} changes.`);
  }
  // Documents are at most so deep; a deeper step would exhaust the stack here and not there.
  if (isDeeperThan(list, MAX_JSON_DEPTH)) throw new RulebookError('It is nested too deep.');
  try {
    return list.map((one) => Step.fromJSON(proseSchema, one));
  } catch (error) {
    throw new RulebookError(error instanceof Error ? error.message : 'It cannot be read.');
  }
}

/** As many of these changes as one stored step holds. @throws RulebookError when the first alone is too long */
export function writeSteps(steps: readonly Step[]): string {
  const texts: string[] = [];
  // Brackets around all, and a comma after each.
  let length = 2;
  for (const step of steps) {
    const text = JSON.stringify(step.toJSON());
    length += text.length + 1;
    // Windows of an older version skip the whole stored step that one of these is in: no text may be in it.
    const alone = step instanceof NoTermStep;
    if (texts.length > 0 && (alone || length > MAX_STEP_LENGTH || texts.length === MAX_CHANGES)) break;
    if (length > MAX_STEP_LENGTH) {
      throw new RulebookError(
        `This change has ${length} characters and ${MAX_STEP_LENGTH} is the most: undo it, and paste the text in parts.`,
      );
    }
    texts.push(text);
    if (alone) break;
  }
  return `[${texts.join(',')}]`;
}

/** The document after a stored step, or why it is skipped. */
export function applyStep(
  doc: ProseNode,
  text: string,
): { readonly doc: ProseNode; readonly steps: Step[] } | Fault {
  try {
    const steps = readStep(text);
    let next = doc;
    for (const step of steps) {
      const result = step.apply(next);
      if (!result.doc) throw new RulebookError(result.failed ?? 'It does not fit the text.');
      next = result.doc;
    }
    checkDoc(next);
    return { doc: next, steps };
  } catch (error) {
    return { message: error instanceof Error ? error.message : 'It cannot be applied.' };
  }
}

/** Throws if the schema refuses a document, or it is beyond the limits of a rulebook. */
export function checkDoc(doc: ProseNode): void {
  doc.check();
  let blocks = 0;
  doc.descendants((node, pos) => {
    if (node.inlineContent && node.childCount > LIMITS.inlines) {
      throw new RulebookError(`A paragraph has more than ${LIMITS.inlines} parts.`);
    }
    if (node.isText && (node.text?.length ?? 0) > LIMITS.text) {
      throw new RulebookError(`A paragraph has more than ${LIMITS.text} characters.`);
    }
    if (node.isBlock) blocks++;
    if (blocks > LIMITS.blocks) throw new RulebookError(`A rulebook has at most ${LIMITS.blocks} blocks.`);
    const most = { list: LIMITS.listItems, table: LIMITS.rows, tableRow: LIMITS.cells }[node.type.name];
    if (most !== undefined && node.childCount > most) {
      throw new RulebookError(`A ${node.type.name} has ${node.childCount} parts and ${most} is the most.`);
    }
    if (node.type.name === 'table') checkCells(node);
    if (node.isBlock && doc.resolve(pos).depth > 2 * LIMITS.depth) {
      throw new RulebookError(`The rulebook is nested more than ${LIMITS.depth} blocks deep.`);
    }
  });
}

function checkCells(table: ProseNode): void {
  const cells = table.firstChild?.childCount;
  table.forEach((row) => {
    if (row.childCount !== cells)
      throw new RulebookError('The rows of a table have different numbers of cells.');
  });
}

/** Longest part of a document that goes into one stored step, so that its JSON stays below the limit. */
const PART_LENGTH = 150_000;

/** Blocks in parts that each fit into a stored step, as far as a single block does. */
export function partsOf<T>(blocks: readonly T[]): T[][] {
  const parts: T[][] = [];
  let length = 0;
  for (const block of blocks) {
    const size = JSON.stringify(block).length;
    if (parts.length === 0 || length + size > PART_LENGTH) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(block);
    length += size;
  }
  return parts;
}

/**
 * Stored steps that make these blocks of an empty document, and the words that are no terms in them.
 * @throws RulebookError when one block is too long
 */
export function stepsOf(given: readonly Block[], noTerms: readonly NoTerm[] = []): string[] {
  const words = noTerms.length > 0 ? [writeSteps([new DocAttrStep('noTerms', noTerms)])] : [];
  const parts = partsOf(parseBlocks(given));
  let end = emptyDoc().content.size;
  const texts = parts.map((part, at) => {
    const { content } = toProse(part);
    const from = at === 0 ? 0 : end;
    const step = Step.fromJSON(proseSchema, {
      stepType: 'replace',
      from,
      to: end,
      slice: { content: content.toJSON() },
    });
    end = from + content.size;
    return writeSteps([step]);
  });
  return [...texts, ...words];
}

/** The document that stored steps make, and the numbers of those that were skipped. */
export function replay(
  texts: Iterable<string>,
  from: ProseNode = emptyDoc(),
): { readonly doc: ProseNode; readonly skipped: ReadonlyMap<number, string> } {
  let doc = from;
  let number = 0;
  const skipped = new Map<number, string>();
  for (const text of texts) {
    number++;
    const result = applyStep(doc, text);
    if ('doc' in result) doc = result.doc;
    else skipped.set(number, result.message);
  }
  return { doc, skipped };
}
