import {
  type DocumentReference,
  FieldPath,
  increment,
  runTransaction,
  serverTimestamp,
  type Transaction,
} from '@sdk/firestore';
import { cellAt } from '../../core/records.ts';
import { sameDocument } from '../../core/scene/changes/same-document.ts';
import type { BranchAct } from '../../core/versions/branch-changes.ts';
import { cellsOf } from '../../core/versions/cards.ts';
import { cardSchema, layoutDocumentSchema } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { toJson } from '../project/transfer/json.ts';
import { freezeAutomatically } from './calls.ts';

/** Most changes brought back at once: they come all together or not at all, in one commit. */
export const MAX_BROUGHT_BACK = 200;

/** The project is not as it was when the changes were shown. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

type Read = Readonly<Record<string, unknown>> | undefined;

/** A change with the document that it writes. */
interface Step {
  readonly act: BranchAct;
  readonly ref: DocumentReference;
}

function refOf(project: Project, act: BranchAct): DocumentReference {
  if (act.kind === 'notes') return project.notes;
  if (act.kind === 'layout') return project.layout(act.layout);
  return project.card(act.component, act.card);
}

const notesOf = (fields: Read): string => (typeof fields?.['text'] === 'string' ? fields['text'] : '');

/** True if a document is still as its change was shown. */
function isAsShown(act: BranchAct, fields: Read): boolean {
  if (act.kind === 'notes') return notesOf(fields) === act.was;
  if (act.kind === 'add') return fields === undefined;
  if (fields === undefined) return false;
  const now = toJson(fields);
  switch (act.kind) {
    case 'cell':
      return cellAt(cellsOf(now), act.column) === act.was;
    case 'copies':
      return (now['copies'] ?? 1) === act.was;
    case 'remove':
      return sameDocument(cellsOf(now), cellsOf(act.was));
    case 'layout':
      return sameDocument(now['scene'], act.was);
  }
}

function write(transaction: Transaction, { act, ref }: Step, revision: number): void {
  switch (act.kind) {
    case 'cell':
      transaction.update(ref, new FieldPath('cells', act.column), act.text);
      break;
    case 'copies':
      transaction.update(ref, { copies: act.copies });
      break;
    case 'add':
      transaction.set(ref, cardSchema.parse(act.value));
      break;
    case 'remove':
      transaction.delete(ref);
      break;
    case 'layout': {
      const { name, version } = layoutDocumentSchema.shape.scene.parse(act.scene);
      transaction.update(ref, {
        ...{ name, version, scene: act.scene, revision, updatedAt: serverTimestamp() },
      });
      break;
    }
    case 'notes':
      transaction.set(ref, { text: act.text, updatedAt: serverTimestamp() });
  }
}

const pathOf = (project: Project, ref: DocumentReference): string =>
  ref.path.slice(project.details.path.length + 1);

/**
 * Makes changes of a branch in its project, all of them or none. The project is frozen first.
 * @returns the version of what was there, and the paths of the documents that were written
 * @throws ChangedMeanwhile when something is not as it was shown
 */
export async function bringBack(
  project: Project,
  acts: readonly BranchAct[],
): Promise<{ readonly frozen: string; readonly paths: readonly string[] }> {
  if (acts.length > MAX_BROUGHT_BACK) {
    throw new Error(`At most ${MAX_BROUGHT_BACK} changes come back at once: choose fewer, then the others.`);
  }
  const { version: frozen } = await freezeAutomatically(project, 'bulk');
  const steps = acts.map((act): Step => ({ act, ref: refOf(project, act) }));
  const refs = new Map(steps.map(({ ref }) => [ref.path, ref]));
  await runTransaction(project.db, async (transaction) => {
    const found = await Promise.all(
      [...refs].map(async ([path, ref]) => [path, (await transaction.get(ref)).data() as Read] as const),
    );
    const documents = new Map(found);
    for (const { act, ref } of steps) {
      if (isAsShown(act, documents.get(ref.path))) continue;
      throw new ChangedMeanwhile(
        'The project has changed since these changes were shown. Nothing was brought back. Compare again.',
      );
    }
    for (const step of steps) {
      const last = documents.get(step.ref.path)?.['revision'];
      write(transaction, step, (typeof last === 'number' ? last : 0) + 1);
    }
    for (const [component, count] of counts(acts)) {
      if (count !== 0) transaction.update(project.component(component), { cardCount: increment(count) });
    }
  });
  return { frozen, paths: [...refs.values()].map((ref) => pathOf(project, ref)) };
}

/** Cards that each component gets more of. */
function counts(acts: readonly BranchAct[]): ReadonlyMap<string, number> {
  const more = new Map<string, number>();
  for (const act of acts) {
    if (act.kind !== 'add' && act.kind !== 'remove') continue;
    more.set(act.component, (more.get(act.component) ?? 0) + (act.kind === 'add' ? 1 : -1));
  }
  return more;
}
