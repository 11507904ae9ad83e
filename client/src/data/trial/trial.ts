import { collection, type DocumentReference, doc, getDoc, getDocs, setDoc } from '@sdk/firestore';
import { type LocalDatabase, openLocalDatabase } from '@sdk/local-database';
import * as z from 'zod';
import type { ProjectBundle } from '../../core/archive/bundle.ts';
import { sessionUser } from '../account/session.ts';
import { projectSchema, readDocument } from '../documents/documents.ts';
import { PROJECTS } from '../project/addresses.ts';
import { newOwnProject, openProject, readOwnProjects } from '../project/open-project.ts';
import { deleteProject } from '../project/project-contents.ts';
import { type ProjectWork, readProject } from '../project/transfer/read-project.ts';
import { writeProject } from '../project/transfer/write-project.ts';
import { runOn } from '../server/database.ts';
import { forgetTrial, noteTrial } from './mark.ts';

/**
 * The project of the trial: it lies in a database in this browser, and is written into an account once somebody has one.
 */

const DATABASE = 'tuckbox-trial';
/** Held while the sample is written, and while the project is taken over: one window does it. */
const LOCKS = { sample: 'tuckbox-trial/sample', keep: 'tuckbox-trial/keep' } as const;

/** Account that took the project over, kept beside it. */
const keptSchema = z.object({
  account: z.string(),
  /** Id of the project there. It is chosen before anything is written. */
  project: z.string(),
  /** Commit of this browser's database that the account has. */
  version: z.number(),
  /** False while it is being written, or if that did not end. */
  done: z.boolean(),
});
type Kept = z.infer<typeof keptSchema>;

/** The trial as it is in this browser. */
export interface Trial {
  /** Id of its project. */
  readonly project: string;
  readonly name: string;
  /** True if anything in it differs from the sample game that it began as. */
  readonly changed: boolean;
  /** The account and the project there that have all of it as it is now. */
  readonly kept: { readonly account: string; readonly project: string } | undefined;
}

let opened: Promise<LocalDatabase> | undefined;
/** Opens the trial's database. @throws Error in words when the browser keeps nothing */
const open = (): Promise<LocalDatabase> => {
  opened ??= openLocalDatabase(DATABASE);
  return opened;
};

/** Earlier versions noted one account alone. */
const FIRST_KEPT = 'kept';
const keptBy = (account: string): string => `${FIRST_KEPT}-${account}`;

const noteIn = ({ firestore }: LocalDatabase, name: string): DocumentReference =>
  doc(firestore, 'trial', name);

/** The accounts that took the project over: each has one of its own. */
async function readAllKept({ firestore }: LocalDatabase): Promise<readonly Kept[]> {
  const { docs } = await getDocs(collection(firestore, 'trial'));
  const notes = new Map<string, Kept>();
  for (const found of docs) {
    const { data } = keptSchema.safeParse(found.data());
    if (data && (found.id !== FIRST_KEPT || !notes.has(data.account))) notes.set(data.account, data);
  }
  return [...notes.values()];
}

const readKept = async (database: LocalDatabase, account: string): Promise<Kept | undefined> =>
  (await readAllKept(database)).find((one) => one.account === account);

/** There is a project in this browser that this version of the application cannot read. It is left alone. */
export class UnreadableTrial extends Error {
  override readonly name = 'UnreadableTrial';
}

/**
 * The project that is not in the trash, the oldest if there are several.
 * @throws UnreadableTrial rather than taking one for nothing
 */
async function findProject({ firestore }: LocalDatabase) {
  const { docs } = await getDocs(collection(firestore, ...PROJECTS));
  const all = docs.flatMap((found) => {
    const { data } = projectSchema.safeParse(found.data());
    if (!data) {
      throw new UnreadableTrial(
        'The game in this browser cannot be read. It is damaged, or was made by another version of Tuckbox. It is still there.',
      );
    }
    return data.trashedAt > 0 ? [] : [{ ...data, id: found.id }];
  });
  return all.sort((a, b) => a.createdAt - b.createdAt)[0];
}

/** One window at a time. Browsers without locks, on pages without TLS, do without. */
const alone = <T>(lock: keyof typeof LOCKS, work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(LOCKS[lock], work) as Promise<T>) : work();

/**
 * Makes this page one of the trial: from now on it runs on the database in this browser.
 * @throws Error in words when the browser keeps nothing
 */
export async function startTrial(): Promise<void> {
  runOn((await open()).firestore);
}

/** Id of the trial's project; without one, of a new one that begins as the sample. Only on pages of the trial. */
export async function trialProject(sample: () => ProjectBundle): Promise<string> {
  const database = await open();
  const id = await alone(
    'sample',
    async () => (await findProject(database))?.id ?? writeSample(database, sample()),
  );
  noteTrial();
  return id;
}

async function writeSample(database: LocalDatabase, sample: ProjectBundle): Promise<string> {
  // An interrupted window may have left half of one.
  await database.erase();
  const id = await writeProject(sample);
  await setDoc(noteIn(database, 'sample'), { version: await database.version() });
  return id;
}

/** Deletes the trial's project; the next page of the trial begins with the sample again. */
export async function endTrial(): Promise<void> {
  await (await open()).erase();
  forgetTrial();
}

/**
 * The trial in this browser, if there is one.
 * @param account that is asked for; `undefined` for any that has it
 */
export async function findTrial(account?: string): Promise<Trial | undefined> {
  const database = await open();
  const found = await findProject(database);
  if (!found) return undefined;
  const { id, name } = found;
  const below = [...PROJECTS, id].join('/');
  const [all, sample] = await Promise.all([readAllKept(database), getDoc(noteIn(database, 'sample'))]);
  const began = z.object({ version: z.number() }).safeParse(sample.data()).data?.version ?? 0;
  const asked = all.filter((one) => one.done && (account === undefined || one.account === account));
  const changes = await Promise.all(asked.map(({ version }) => database.changedSince(version, below)));
  const kept = asked.find((_, at) => !changes[at]);
  return {
    project: id,
    name,
    changed: await database.changedSince(began, below),
    kept: kept && { account: kept.account, project: kept.project },
  };
}

/** Calls back whenever anything of the trial changes, in any window. @returns ends that */
export function observeTrial(callback: () => void): () => void {
  let ended = false;
  let stop = () => {};
  void open().then(
    (database) => {
      if (!ended) stop = database.observe(callback);
    },
    () => undefined,
  );
  return () => {
    ended = true;
    stop();
  };
}

/**
 * Makes sure that this browser has room to note which account takes the game over, before anybody signs up for it.
 * @throws Error in words when it has none
 */
export async function tryToNote(): Promise<void> {
  await setDoc(noteIn(await open(), 'room'), { account: '', at: Date.now() });
}

/** There is nothing to take over in this browser. */
export class NoTrial extends Error {
  override readonly name = 'NoTrial';
}

/**
 * Writes the trial's project into the account that is signed in, and answers its id there. What is there already is not
 * written again; half of it, from a page that was closed meanwhile, is deleted first. Nothing changes in this browser but
 * the note of it.
 * @throws NoTrial when this browser has none
 */
export function keepTrial(work: ProjectWork): Promise<string> {
  return alone('keep', async () => {
    const account = sessionUser()?.uid;
    if (account === undefined) throw new Error('Log in first.');
    const database = await open();
    const found = await findProject(database);
    if (!found) throw new NoTrial('There is no game in this browser to take over.');
    const kept = await readKept(database, account);
    if (kept) {
      const state = await stateThere(kept.project);
      if (
        state === 'whole' &&
        !(await database.changedSince(kept.version, [...PROJECTS, found.id].join('/')))
      ) {
        if (!kept.done) await setDoc(noteIn(database, keptBy(account)), { ...kept, done: true });
        return kept.project;
      }
      if (state === 'half' && !kept.done) await deleteProject({ id: kept.project });
    }
    const version = await database.version();
    const half = (from: number): ProjectWork => ({
      signal: work.signal,
      onProgress: ({ done, total, what }) =>
        work.onProgress?.({ done: Math.round(from + (50 * done) / Math.max(1, total)), total: 100, what }),
    });
    const bundle = await readProject(
      openProject({ id: found.id, owner: found.owner }, database.firestore),
      half(0),
    );
    const project = newOwnProject();
    const note: Kept = { account, project: project.id, version, done: false };
    await setDoc(noteIn(database, keptBy(account)), note);
    await writeProject(bundle, half(50), undefined, undefined, project);
    await setDoc(noteIn(database, keptBy(account)), { ...note, done: true });
    return project.id;
  });
}

/** A project’s state in the account; half of one lies in the trash. */
async function stateThere(project: string): Promise<'whole' | 'half' | 'none'> {
  // One may not ask for a project that is not there, only for all of one's own.
  const found = (await readOwnProjects()).find(({ id }) => id === project);
  if (!found) return 'none';
  return readDocument(projectSchema, found.ref.path, found.data()).trashedAt > 0 ? 'half' : 'whole';
}
