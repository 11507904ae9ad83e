import {
  type DocumentReference,
  doc,
  getDoc,
  increment,
  runTransaction,
  serverTimestamp,
  type Transaction,
} from '@sdk/firestore';
import type { BranchAct } from '../../../core/versions/branch/change.ts';
import { sessionUser } from '../../account/session.ts';
import type { Project } from '../../project/open-project.ts';
import { numbered } from '../../rulebooks/numbered.ts';
import { freezeAutomatically } from '../calls.ts';
import type { BroughtFiles } from './files.ts';
import { isAsShown, type Read, refOf, type Step, write } from './writes.ts';

/** Most changes brought back at once: they come all together or not at all, in one commit. */
export const MAX_BROUGHT_BACK = 200;

/** The project is not as it was when the changes were shown. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';

  constructor() {
    super('The project has changed since these changes were shown. Nothing was brought back. Compare again.');
  }
}

/** Writes of a rulebook's text that belong to chosen changes. */
interface BookWrites {
  readonly rulebook: string;
  /** Documents that must not be there yet: somebody else's next step would be one. */
  readonly free: readonly DocumentReference[];
  write(transaction: Transaction): void;
}

type BookAct = Extract<BranchAct, { kind: 'book' | 'block' | 'newBook' }>;
const isOfBook = (act: BranchAct): act is BookAct =>
  act.kind === 'book' || act.kind === 'block' || act.kind === 'newBook';

function byBook(acts: readonly BranchAct[]): ReadonlyMap<string, readonly BookAct[]> {
  const books = new Map<string, BookAct[]>();
  for (const act of acts.filter(isOfBook)) books.set(act.rulebook, [...(books.get(act.rulebook) ?? []), act]);
  return books;
}

/** Everything that changes one rulebook: its fields, and a step of its text. */
async function bookWrites(project: Project, rulebook: string, acts: readonly BookAct[]): Promise<BookWrites> {
  // The editor's document model comes along only for rulebooks.
  const { BlockChanged, stepOf, stepsOfBook } = await import('./texts.ts');
  const by = sessionUser()?.uid ?? '';
  const book = project.rulebook(rulebook);
  const stepRef = (number: number) => doc(project.rulebookSteps(rulebook), numbered(number));
  const step = (s: string) => ({ client: 'branch', by, at: serverTimestamp(), s });
  const whole = acts.find((act) => act.kind === 'newBook');
  if (whole) {
    const steps = stepsOfBook(whole.text);
    return {
      rulebook,
      free: [book],
      write: (transaction) => {
        transaction.set(book, {
          ...{ ...whole.fields, order: whole.order, head: steps.length, deletedAt: 0 },
          updatedAt: serverTimestamp(),
        });
        for (const [at, text] of steps.entries()) transaction.set(stepRef(at + 1), step(text));
      },
    };
  }
  const blocks = acts.filter((act) => act.kind === 'block');
  const fields = Object.fromEntries(
    acts.flatMap((act) => (act.kind === 'book' ? [[act.field, act.value]] : [])),
  );
  const made = await stepOf(project, rulebook, blocks).catch((error: unknown) => {
    throw error instanceof BlockChanged ? new ChangedMeanwhile() : error;
  });
  return {
    rulebook,
    free: made ? [stepRef(made.number)] : [],
    write: (transaction) => {
      if (made) transaction.set(stepRef(made.number), step(made.text));
      transaction.update(book, {
        ...{ ...fields, ...(made && { head: made.number }), updatedAt: serverTimestamp() },
      });
    },
  };
}

const pathOf = (project: Project, ref: DocumentReference): string =>
  ref.path.slice(project.details.path.length + 1);

/** Fails before anything is copied if a document is not as its change was shown. */
async function check(steps: readonly Step[]): Promise<void> {
  const refs = new Map(steps.map(({ ref }) => [ref.path, ref]));
  const found = await Promise.all([...refs].map(async ([path, ref]) => [path, (await getDoc(ref)).data()]));
  const documents = new Map(found as [string, Read][]);
  if (!steps.every(({ act, ref }) => isAsShown(act, documents.get(ref.path)))) throw new ChangedMeanwhile();
}

/**
 * Makes changes of a branch in its project, all of them or none. The project is frozen first.
 * @param branch id of the branch
 * @returns the version of what was there, and the paths of the documents that were written
 * @throws ChangedMeanwhile when something is not as it was shown
 */
export async function bringBack(
  project: Project,
  branch: string,
  acts: readonly BranchAct[],
): Promise<{ readonly frozen: string; readonly paths: readonly string[] }> {
  if (acts.length > MAX_BROUGHT_BACK) {
    throw new Error(`At most ${MAX_BROUGHT_BACK} changes come back at once: choose fewer, then the others.`);
  }
  const { version: frozen } = await freezeAutomatically(project, 'bulk');
  const steps = acts.map((act): Step => ({ act, ref: refOf(project, act) }));
  await check(steps);
  const books = await Promise.all(
    [...byBook(acts)].map(([rulebook, own]) => bookWrites(project, rulebook, own)),
  );
  // Fonts, and what stores pictures, come along only now.
  const { bringFiles } = await import('./files.ts');
  const files = await bringFiles(project, branch, acts);
  try {
    await commit(project, steps, books, files);
  } catch (error) {
    if (isFinal(error)) await files.undo();
    throw error;
  }
  const refs = new Map(steps.map(({ ref }) => [ref.path, ref]));
  return { frozen, paths: [...refs.values()].map((ref) => pathOf(project, ref)) };
}

const REFUSED = /(permission-denied|failed-precondition|resource-exhausted|invalid-argument|not-found)$/;

/** True if surely nothing was written. After a lost answer, documents may show the pictures already. */
const isFinal = (error: unknown): boolean =>
  error instanceof ChangedMeanwhile || REFUSED.test(String((error as { code?: unknown } | null)?.code));

async function commit(
  project: Project,
  steps: readonly Step[],
  books: readonly BookWrites[],
  files: BroughtFiles,
): Promise<void> {
  const components = new Map(
    steps.flatMap(({ act }) =>
      'component' in act ? [[act.component, project.component(act.component)]] : [],
    ),
  );
  const refs = new Map(
    [...steps.map(({ ref }) => ref), ...components.values(), ...books.flatMap(({ free }) => free)].map(
      (ref) => [ref.path, ref] as const,
    ),
  );
  await runTransaction(project.db, async (transaction) => {
    const found = await Promise.all(
      [...refs].map(async ([path, ref]) => [path, (await transaction.get(ref)).data() as Read] as const),
    );
    const documents = new Map(found);
    const there = (ref: DocumentReference) => documents.get(ref.path) !== undefined;
    // New pictures were copied already, each with its document.
    const isReady = ({ act, ref }: Step) =>
      act.kind === 'newImage' || isAsShown(act, documents.get(ref.path));
    const isFree = ({ free }: BookWrites) => !free.some(there);
    if (!steps.every(isReady) || !books.every(isFree) || ![...components.values()].every(there))
      throw new ChangedMeanwhile();
    for (const step of steps) {
      const last = documents.get(step.ref.path)?.['revision'];
      write(transaction, step, (typeof last === 'number' ? last : 0) + 1, files);
    }
    for (const book of books) book.write(transaction);
    for (const [component, count] of counts(steps)) {
      if (count !== 0) transaction.update(project.component(component), { cardCount: increment(count) });
    }
  });
}

/** Cards that each component gets more of. */
function counts(steps: readonly Step[]): ReadonlyMap<string, number> {
  const more = new Map<string, number>();
  for (const { act } of steps) {
    if (act.kind !== 'add' && act.kind !== 'remove') continue;
    more.set(act.component, (more.get(act.component) ?? 0) + (act.kind === 'add' ? 1 : -1));
  }
  return more;
}
