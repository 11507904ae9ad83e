import {
  type DocumentReference,
  doc,
  getDoc,
  getDocs,
  increment,
  runTransaction,
  serverTimestamp,
} from '@sdk/firestore';
import { own } from '../../../core/records.ts';
import { sameDocument } from '../../../core/scene/changes/same-document.ts';
import { type BranchAct, cardContent } from '../../../core/versions/branch/change.ts';
import { sessionUser } from '../../account/session.ts';
import type { Project } from '../../project/open-project.ts';
import { toJson } from '../../project/transfer/json.ts';
import { numbered } from '../../rulebooks/numbered.ts';
import { freezeAutomatically } from '../calls.ts';
import { componentWrites } from './component-writes.ts';
import type { BroughtFiles } from './files.ts';
import type { JointWrites, Read } from './joint-writes.ts';
import { translationWrites } from './translation-writes.ts';
import { isAsShown, refOf, type Step, write } from './writes.ts';

/** Most changes brought back at once: they come all together or not at all, in one commit. */
export const MAX_BROUGHT_BACK = 200;

/** The project is not as it was when the changes were shown. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';

  constructor() {
    super('The project has changed since these changes were shown. Nothing was brought back. Compare again.');
  }
}

type BookAct = Extract<BranchAct, { kind: 'book' | 'block' | 'newBook' | 'removeBook' }>;
const isOfBook = (act: BranchAct): act is BookAct =>
  act.kind === 'book' || act.kind === 'block' || act.kind === 'newBook' || act.kind === 'removeBook';

function byBook(acts: readonly BranchAct[]): ReadonlyMap<string, readonly BookAct[]> {
  const books = new Map<string, BookAct[]>();
  for (const act of acts.filter(isOfBook)) books.set(act.rulebook, [...(books.get(act.rulebook) ?? []), act]);
  return books;
}

/** Everything that changes one rulebook: its fields, and a step of its text. */
async function bookWrites(
  project: Project,
  rulebook: string,
  acts: readonly BookAct[],
): Promise<JointWrites> {
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
      reads: [book],
      fits: (read) => read(book) === undefined,
      write: (transaction) => {
        transaction.set(book, {
          ...{ ...whole.fields, order: whole.order, head: steps.length, deletedAt: 0 },
          updatedAt: serverTimestamp(),
        });
        for (const [at, text] of steps.entries()) transaction.set(stepRef(at + 1), step(text));
      },
    };
  }
  const removed = acts.find((act) => act.kind === 'removeBook');
  if (removed) return putAway(project, removed);
  const blocks = acts.filter((act) => act.kind === 'block');
  const fields = Object.fromEntries(
    acts.flatMap((act) => (act.kind === 'book' ? [[act.field, act.value]] : [])),
  );
  const made = await stepOf(project, rulebook, blocks).catch((error: unknown) => {
    throw error instanceof BlockChanged ? new ChangedMeanwhile() : error;
  });
  // Somebody else's next step would have this one's number.
  const next = made ? [stepRef(made.number)] : [];
  return {
    reads: next,
    fits: (read) => next.every((ref) => read(ref) === undefined),
    write: (transaction) => {
      if (made) transaction.set(stepRef(made.number), step(made.text));
      transaction.update(book, {
        ...{ ...fields, ...(made && { head: made.number }), updatedAt: serverTimestamp() },
      });
    },
  };
}

/** Puts a rulebook away, as its delete button does, and closes what is published of it. */
async function putAway(
  project: Project,
  { rulebook, text }: Extract<BookAct, { kind: 'removeBook' }>,
): Promise<JointWrites> {
  const { textNow } = await import('./texts.ts');
  const { number, is } = await textNow(project, rulebook);
  if (text && !is(text)) throw new ChangedMeanwhile();
  const book = project.rulebook(rulebook);
  const next = doc(project.rulebookSteps(rulebook), numbered(number + 1));
  return {
    reads: [book, next],
    fits: (read) => read(next) === undefined,
    write: (transaction) => transaction.update(book, { deletedAt: Date.now() }),
    after: async (read) => {
      const link = read(book)?.['link'];
      if (typeof link !== 'string' || link === '') return;
      const { unpublish } = await import('../../rulebooks/publish.ts');
      await unpublish(project, rulebook, link);
    },
  };
}

const pathOf = (project: Project, ref: DocumentReference): string =>
  ref.path.slice(project.details.path.length + 1);

/** Fails before anything is copied if a document is not as its change was shown. */
async function check(project: Project, steps: readonly Step[]): Promise<void> {
  const refs = new Map(steps.map(({ ref }) => [ref.path, ref]));
  const found = await Promise.all([...refs].map(async ([path, ref]) => [path, (await getDoc(ref)).data()]));
  const documents = new Map(found as [string, Read][]);
  if (!steps.every(({ act, ref }) => isAsShown(act, documents.get(ref.path)))) throw new ChangedMeanwhile();
  for (const { act } of steps) if (act.kind === 'removeComponent') await checkCards(project, act);
}

/** Fails if the cards of a component that is deleted are not those that were shown. */
async function checkCards(
  project: Project,
  { component, cards }: Extract<BranchAct, { kind: 'removeComponent' }>,
): Promise<void> {
  const { docs } = await getDocs(project.cards(component));
  const same = docs.every((card) => {
    const shown = own(cards, card.id);
    return shown && sameDocument(cardContent(toJson(card.data())), cardContent(shown));
  });
  if (!same || docs.length !== Object.keys(cards).length) throw new ChangedMeanwhile();
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
  await check(project, steps);
  const books = await Promise.all(
    [...byBook(acts)].map(([rulebook, own]) => bookWrites(project, rulebook, own)),
  );
  const joint = [...componentWrites(project, acts), ...books, ...translationWrites(project, acts)];
  // Fonts, and what stores pictures, come along only now.
  const { bringFiles } = await import('./files.ts');
  const files = await bringFiles(project, branch, acts);
  try {
    await commit(project, steps, joint, files);
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

/** New components come before their cards, and what is deleted goes with all that lies below it. */
const inOrder = (steps: readonly Step[]): readonly Step[] => {
  const isNew = ({ act }: Step) => act.kind === 'newComponent';
  return [...steps.filter(isNew), ...steps.filter((step) => !isNew(step))];
};

async function commit(
  project: Project,
  steps: readonly Step[],
  joint: readonly JointWrites[],
  files: BroughtFiles,
): Promise<void> {
  const begun = new Set(steps.flatMap(({ act }) => (act.kind === 'newComponent' ? [act.component] : [])));
  const components = new Map(
    steps.flatMap(({ act }) =>
      'card' in act && !begun.has(act.component) ? [[act.component, project.component(act.component)]] : [],
    ),
  );
  const refs = new Map(
    [...steps.map(({ ref }) => ref), ...components.values(), ...joint.flatMap(({ reads }) => reads)].map(
      (ref) => [ref.path, ref] as const,
    ),
  );
  const read = await runTransaction(project.db, async (transaction) => {
    const found = await Promise.all(
      [...refs].map(async ([path, ref]) => [path, (await transaction.get(ref)).data() as Read] as const),
    );
    const documents = new Map(found);
    const read = (ref: DocumentReference) => documents.get(ref.path);
    // New pictures were copied already, each with its document.
    const isReady = ({ act, ref }: Step) => act.kind === 'newImage' || isAsShown(act, read(ref));
    const isThere = (ref: DocumentReference) => read(ref) !== undefined;
    const fit = steps.every(isReady) && joint.every(({ fits }) => fits(read));
    if (!fit || ![...components.values()].every(isThere)) throw new ChangedMeanwhile();
    for (const step of inOrder(steps)) {
      const last = read(step.ref)?.['revision'];
      write(transaction, step, (typeof last === 'number' ? last : 0) + 1, files);
    }
    for (const one of joint) one.write(transaction, read);
    for (const [component, count] of counts(steps)) {
      if (count !== 0) transaction.update(project.component(component), { cardCount: increment(count) });
    }
    return read;
  });
  for (const { after } of joint) await after?.(read);
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
