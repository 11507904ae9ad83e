import { getDoc } from '@sdk/firestore';
import { projectSchema } from '../documents/documents.ts';
import type { Project } from './open-project.ts';

/** Language of a project's own words; empty where nobody said it. */
export async function readOwnLanguage(project: Pick<Project, 'details'>): Promise<string> {
  const read = projectSchema.safeParse((await getDoc(project.details)).data());
  return read.success ? read.data.language : '';
}
