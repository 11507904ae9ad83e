import type { Node as ProseNode } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import type { Block } from '../../../core/book/document/schema.ts';
import { blocksOfProse, noTermsOfProse, parseBlocks, toProse } from '../../../core/book/prose/convert.ts';
import { restored } from '../../../core/book/prose/restore.ts';
import { applyStep, emptyDoc, stepsOf, writeSteps } from '../../../core/book/prose/steps.ts';
import type { BookText, BranchAct } from '../../../core/versions/branch/change.ts';
import type { BranchTexts } from '../../../core/versions/branch/rulebooks.ts';
import { placeOf } from '../../../core/versions/place.ts';
import type { StoredChange } from '../../../core/versions/stored-change.ts';
import type { Project } from '../../project/open-project.ts';
import { readText } from '../../rulebooks/read-text.ts';
import { textIn } from '../rulebook-texts.ts';

type BlockAct = Extract<BranchAct, { kind: 'block' }>;

const bookText = (doc: ProseNode): BookText => ({ blocks: blocksOfProse(doc), noTerms: noTermsOfProse(doc) });

const booksIn = (changes: readonly StoredChange[]): ReadonlySet<string> =>
  new Set(
    changes.flatMap(({ path }) => {
      const place = placeOf(path);
      return place.kind === 'text' ? [place.rulebook] : [];
    }),
  );

/** Texts of the rulebooks whose text the branch has otherwise stored, in all three states. */
export async function branchTexts(
  theirs: readonly StoredChange[],
  mine: readonly StoredChange[],
): Promise<ReadonlyMap<string, BranchTexts>> {
  const texts = new Map<string, BranchTexts>();
  const own = booksIn(mine);
  for (const id of booksIn(theirs)) {
    const base = await textIn(theirs, id, 'before');
    const branch = await textIn(theirs, id, 'after');
    const today = own.has(id) ? await textIn(mine, id, 'after') : base;
    texts.set(id, { base: bookText(base.doc), theirs: bookText(branch.doc), mine: bookText(today.doc) });
  }
  return texts;
}

/** A step that comes after the text that it was made for. */
export interface TextStep {
  /** Its number, from 1. */
  readonly number: number;
  readonly text: string;
}

/** A block is no longer as it was when its change was shown. */
export class BlockChanged extends Error {
  override readonly name = 'BlockChanged';
}

const same = (one: Block | null, other: Block | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Blocks with changes made in them. @throws BlockChanged when one is not as it was shown */
export function withBlocks(given: readonly Block[], acts: readonly BlockAct[]): readonly Block[] {
  const blocks = [...given];
  const at = (id: string) => blocks.findIndex((block) => block.id === id);
  for (const { block: id, value, was, behind } of acts) {
    const place = at(id);
    if (!same(blocks[place] ?? null, was)) throw new BlockChanged();
    if (place >= 0) blocks.splice(place, 1, ...(value ? [value] : []));
    else if (value) blocks.splice(Math.max(-1, at(behind.find((one) => at(one) >= 0) ?? '')) + 1, 0, value);
  }
  return blocks;
}

/**
 * The step that makes changes of blocks in the text of a rulebook as it is stored; `undefined` if the text stays as it is.
 * @throws BlockChanged when a block is not as it was shown; Error when one step does not hold them all
 */
export async function stepOf(
  project: Project,
  rulebook: string,
  acts: readonly BlockAct[],
): Promise<TextStep | undefined> {
  const { doc, number } = await readText(project, rulebook);
  const blocks = withBlocks(blocksOfProse(doc), acts);
  const { content } = blocks.length > 0 ? toProse(parseBlocks(blocks)) : emptyDoc();
  const wanted = doc.copy(content);
  const change = restored(EditorState.create({ doc }), wanted);
  if (!change || change.steps.length === 0) return undefined;
  const text = writeSteps(change.steps);
  const made = applyStep(doc, text);
  if (!('doc' in made) || !made.doc.eq(wanted)) {
    throw new Error(
      'These are too many changes of one rulebook at once: choose fewer blocks, then the others.',
    );
  }
  return { number: number + 1, text };
}

/** The text of a rulebook as it is stored: the number of its last step, and whether it says the same as another. */
export async function textNow(project: Project, rulebook: string) {
  const { doc, number } = await readText(project, rulebook);
  const blocks = JSON.stringify(blocksOfProse(doc));
  return { number, is: (text: BookText): boolean => JSON.stringify(text.blocks) === blocks };
}

/** Steps that make the text of a new rulebook. */
export const stepsOfBook = ({ blocks, noTerms }: BookText): readonly string[] => stepsOf(blocks, noTerms);
