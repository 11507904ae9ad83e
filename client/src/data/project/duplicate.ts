import { MAX_NAME_LENGTH } from '../documents.ts';
import type { ProjectName } from './addresses.ts';
import { withImages } from './images-out.ts';
import { imageSourceOf } from './library-exchange.ts';
import { openProject } from './open-project.ts';
import { type ProjectWork, readProject } from './read-project.ts';
import { writeProject } from './write-project.ts';

/**
 * Copies a project with its components, cards, layouts, notes and print settings, of which nothing is printed yet; answers
 * the copy's id. The pictures of somebody else's project go into the user's library.
 */
export async function duplicateProject(name: ProjectName, work: ProjectWork): Promise<string> {
  const half = (from: number): ProjectWork => ({
    signal: work.signal,
    onProgress: ({ done, total, what }) =>
      work.onProgress?.({ done: Math.round(from + (50 * done) / Math.max(1, total)), total: 100, what }),
  });
  const project = openProject(name);
  const contents = await readProject(project, half(0));
  const bundle = project.mine
    ? contents
    : await withImages(contents, imageSourceOf(project), { signal: work.signal });
  const copyName = `${bundle.project.name.slice(0, MAX_NAME_LENGTH - 5)} copy`;
  return writeProject(
    { ...bundle, project: { ...bundle.project, name: copyName }, comments: [], runs: [] },
    half(50),
  );
}
