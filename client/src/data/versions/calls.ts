import { updateDoc } from '@sdk/firestore';
import { httpsCallable } from '@sdk/functions';
import type * as z from 'zod';
import { cutText } from '../../core/text/cut-text.ts';
import type { Project } from '../project/open-project.ts';
import { getCallables } from '../server/database.ts';
import {
  type Compared,
  comparedSchema,
  frozenSchema,
  type GameVersion,
  MAX_VERSION_NAME,
  MAX_VERSION_NOTE,
  openedSchema,
  type Restored,
  restoredSchema,
  type VersionReason,
} from './schema.ts';

/** The project as it is now, where a version is named. */
export const NOW = 'now';

/** Most documents that are named in one call; with more, everything is restored or nothing. */
export const MAX_RESTORED_PATHS = 1_000;

async function call<T>(name: string, request: object, schema: z.ZodType<T>): Promise<T> {
  const { data } = await httpsCallable<object, unknown>(getCallables(), name)(request);
  return schema.parse(data);
}

async function act(name: string, request: object): Promise<void> {
  await httpsCallable<object, unknown>(getCallables(), name)(request);
}

type Id = Pick<Project, 'id'>;

const words = (name: string, note: string) => ({
  name: cutText(name.trim(), MAX_VERSION_NAME),
  note: cutText(note.trim(), MAX_VERSION_NOTE),
});

/** Freezes everything in a project under a name, as it is at one moment. */
export const freezeVersion = ({ id }: Id, name: string, note: string) =>
  call('freezeVersion', { projectId: id, ...words(name, note) }, frozenSchema);

/** Freezes without a name; nothing is made if nothing changed since the newest version. */
export const freezeAutomatically = ({ id }: Id, reason: Exclude<VersionReason, '' | 'restore'>) =>
  call('freezeVersion', { projectId: id, reason }, frozenSchema);

/**
 * Makes the documents of a version readable, or keeps them so for another hour.
 * @param project id of the project
 * @returns paths of documents that cannot be shown
 */
export const openVersion = async (project: string, version: string): Promise<readonly string[]> =>
  (await call('openVersion', { projectId: project, version }, openedSchema)).damaged;

/** All that two versions do not have alike. @param to a version, or {@link NOW} */
export const compareVersions = ({ id }: Id, from: string, to: string): Promise<Compared> =>
  call('compareVersions', { projectId: id, from, to }, comparedSchema);

/** All that a branch of a project does not have like the version that it began as. @param branch its id */
export const compareBranch = ({ id }: Id, from: string, branch: string): Promise<Compared> =>
  call('compareVersions', { projectId: id, from, to: NOW, branch }, comparedSchema);

/**
 * Makes a project what a version had, after freezing it as it is.
 * @param paths documents that are restored with all below them, relative to the project; everything without
 */
export const restoreVersion = ({ id }: Id, version: string, paths?: readonly string[]): Promise<Restored> =>
  call('restoreVersion', { projectId: id, version, ...(paths && { paths }) }, restoredSchema);

/** Gives a version another name and note. An automatic one becomes a named one, which stays until it is deleted. */
export function describeVersion(
  project: Project,
  version: Pick<GameVersion, 'kind'> & { readonly id: string },
  name: string,
  note: string,
): Promise<void> {
  if (version.kind === 'named') return updateDoc(project.gameVersion(version.id), words(name, note));
  return act('nameVersion', { projectId: project.id, version: version.id, ...words(name, note) });
}

/** Deletes a version, with what it alone holds. */
export const deleteVersion = ({ id }: Id, version: string): Promise<void> =>
  act('deleteVersion', { projectId: id, version });
