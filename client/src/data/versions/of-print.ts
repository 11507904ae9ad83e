import { getDoc } from '@sdk/firestore';
import type { Project } from '../project/open-project.ts';
import { freezeAutomatically } from './calls.ts';
import { gameVersionSchema, type PrintedVersion } from './schema.ts';

/**
 * The version that a print of a project is of: the project is frozen as it is, unless nothing has changed since the newest
 * version. A failure is told on the console alone: a print is more than its version.
 */
export async function versionOfPrint(project: Project): Promise<PrintedVersion | undefined> {
  try {
    const { version, number } = await freezeAutomatically(project, 'print');
    const found = gameVersionSchema.safeParse((await getDoc(project.gameVersion(version))).data());
    return { version, versionName: found.data?.name || `Version ${number}` };
  } catch (error) {
    console.warn('The project could not be frozen for a print.', error);
    return undefined;
  }
}
