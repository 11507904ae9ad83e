import {
  addDoc,
  deleteDoc,
  getDocs,
  limit,
  orderBy,
  query,
  serverTimestamp,
  updateDoc,
} from '@sdk/firestore';
import { writeMarks } from '../../core/imposition/job/print-runs.ts';
import type { PrintSettings } from '../../core/imposition/settings.ts';
import { printPresetSchema, printRunSchema } from '../documents/documents.ts';
import { useLiveList } from '../server/live.ts';
import type { PrintedVersion } from '../versions/schema.ts';
import type { Project } from './open-project.ts';
import { connectLayout } from './project-contents.ts';

/** Most cards noted in one print run: their marks must fit a document of one mebibyte. */
export const MAX_RUN_CARDS = 20_000;
/** Runs looked back over. */
export const MAX_RUNS = 100;

/** A project's print presets by name. */
export const usePrintPresets = (project: Project) =>
  useLiveList([project.printPresets.path], query(project.printPresets, orderBy('name')), printPresetSchema);

/** A project's prints, newest first. */
export const usePrintRuns = (project: Project) =>
  useLiveList(
    [project.printRuns.path],
    query(project.printRuns, orderBy('number', 'desc'), limit(MAX_RUNS)),
    printRunSchema,
  );

/** Keeps settings under a name. */
export async function addPrintPreset(
  project: Project,
  name: string,
  settings: PrintSettings,
): Promise<string> {
  const ref = await addDoc(project.printPresets, { name, settings, updatedAt: serverTimestamp() });
  return ref.id;
}

/** Overwrites a preset's settings. */
export function savePrintPreset(project: Project, preset: string, settings: PrintSettings): Promise<void> {
  return updateDoc(project.printPreset(preset), { settings, updatedAt: serverTimestamp() });
}

export function deletePrintPreset(project: Project, preset: string): Promise<void> {
  return deleteDoc(project.printPreset(preset));
}

/** Notes a print with the next number: how each card looked, by its id, and the version that it is of. */
export async function addPrintRun(
  project: Project,
  run: {
    what: string;
    cards: number;
    language: string | undefined;
    marks: ReadonlyMap<string, string>;
    of: PrintedVersion | undefined;
  },
): Promise<void> {
  if (run.marks.size > MAX_RUN_CARDS) {
    throw new Error(
      `A print of ${run.marks.size} cards is too large to be noted: the most is ${MAX_RUN_CARDS}.`,
    );
  }
  // The list on the screen may not be loaded yet, or others may have printed meanwhile.
  const [last] = (await getDocs(query(project.printRuns, orderBy('number', 'desc'), limit(1)))).docs;
  const number = last ? printRunSchema.parse(last.data()).number + 1 : 1;
  await addDoc(project.printRuns, {
    number,
    at: serverTimestamp(),
    what: run.what,
    cards: run.cards,
    ...(run.language !== undefined && { language: run.language }),
    marks: writeMarks(run.marks),
    ...run.of,
  });
}

/** Gives a component a layout for its backs, or none. */
export async function chooseBackLayout(
  project: Project,
  component: string,
  layout: string | null,
): Promise<void> {
  if (layout !== null) await connectLayout(project, component, layout, true);
  else await updateDoc(project.component(component), { backLayoutId: null });
}
