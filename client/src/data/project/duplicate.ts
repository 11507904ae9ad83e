import { MAX_NAME_LENGTH, type Project, type WithId } from '../documents.ts';
import { withImages } from './images-out.ts';
import { imageSourceOf } from './library-exchange.ts';
import { type ProjectWork, readProject } from './read-project.ts';
import { writeProject } from './write-project.ts';

/**
 * Copies a project with its components, cards, notes and print settings, of which nothing is printed yet; answers
 * the copy's id. A copy of
 * one's own project shares its layouts, as components do; a copy of somebody else's has layouts of its own,
 * and its pictures go into the user's library.
 */
export async function duplicateProject(
  project: WithId<Project>,
  mine: boolean,
  work: ProjectWork,
): Promise<string> {
  const half = (from: number): ProjectWork => ({
    signal: work.signal,
    onProgress: ({ done, total, what }) =>
      work.onProgress?.({ done: Math.round(from + (50 * done) / Math.max(1, total)), total: 100, what }),
  });
  const contents = await readProject(project.id, half(0));
  const bundle = mine
    ? contents
    : await withImages(contents, imageSourceOf(project.id), { signal: work.signal });
  const name = `${bundle.project.name.slice(0, MAX_NAME_LENGTH - 5)} copy`;
  return writeProject(
    { ...bundle, project: { ...bundle.project, name }, comments: [], runs: [] },
    { ...half(50), shareLayouts: mine },
  );
}
