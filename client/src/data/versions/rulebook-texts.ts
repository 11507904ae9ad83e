import type { Node as ProseNode } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { type BlockChange, compareBlocks } from '../../core/book/comparison/compare.ts';
import { blocksOfProse } from '../../core/book/prose/convert.ts';
import { restored } from '../../core/book/prose/restore.ts';
import { writeSteps } from '../../core/book/prose/steps.ts';
import type { StoredChange } from '../../core/versions/stored-change.ts';
import type { Project } from '../project/open-project.ts';
import { readText } from '../rulebooks/read-text.ts';
import { projectSteps } from '../rulebooks/step-store.ts';
import { readStoredText, type TextDocument } from '../rulebooks/stored-text.ts';

type Side = 'before' | 'after';

/** The documents of a rulebook's text in one of the states, by their ids. */
function documentsOf(changes: readonly StoredChange[], folder: string, side: Side): readonly TextDocument[] {
  return changes
    .flatMap(({ path, [side]: fields }): TextDocument[] =>
      fields && path.startsWith(folder) ? [{ id: path.slice(folder.length), path, fields }] : [],
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The text that a rulebook has in one of two states: a comparison has all of its documents where it has any. */
export function textIn(changes: readonly StoredChange[], rulebook: string, side: Side) {
  const versions = documentsOf(changes, `rulebooks/${rulebook}/versions/`, side);
  const steps = documentsOf(changes, `rulebooks/${rulebook}/steps/`, side);
  return readStoredText({
    version: async (before) => versions.filter(({ id }) => before === undefined || id < before).at(-1),
    steps: async (after, most) => steps.filter(({ id }) => id > after).slice(0, most),
  });
}

/** Differences between the texts of a rulebook in two states. */
export async function compareTexts(
  changes: readonly StoredChange[],
  rulebook: string,
): Promise<readonly BlockChange[]> {
  const [was, is] = await Promise.all([
    textIn(changes, rulebook, 'before'),
    textIn(changes, rulebook, 'after'),
  ]);
  return compareBlocks(blocksOfProse(was.doc), blocksOfProse(is.doc));
}

/** Steps that one restoration takes at most: a long text comes in several, and others may write between them. */
const MAX_STEPS = 200;

/**
 * Makes the text of a rulebook what it was, by steps: windows that show it follow, and its history is kept. All else of a
 * rulebook the server restores.
 * @param version the project as it was, open
 * @throws Error when others write so much meanwhile that it cannot be done
 */
export async function restoreRulebookText(
  project: Project,
  version: Project,
  rulebook: string,
): Promise<void> {
  await writeText(project, rulebook, (await readText(version, rulebook)).doc);
}

async function writeText(project: Project, rulebook: string, wanted: ProseNode): Promise<void> {
  const steps = projectSteps(project, rulebook);
  const client = crypto.randomUUID();
  for (let count = 0; count < MAX_STEPS; count++) {
    const { doc, number } = await readText(project, rulebook);
    const change = restored(EditorState.create({ doc }), wanted);
    if (!change || change.steps.length === 0) return;
    await steps.append(number + 1, client, writeSteps(change.steps));
  }
  throw new Error('Others go on writing this rulebook: its text is not restored. Try again when they rest.');
}
