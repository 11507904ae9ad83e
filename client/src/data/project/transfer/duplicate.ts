import { getDocs } from '@sdk/firestore';
import { cutText } from '../../../core/text/cut-text.ts';
import type { Branch } from '../../documents/documents.ts';
import { MAX_NAME_LENGTH } from '../../documents/documents.ts';
import { copyImages } from '../../images/copies.ts';
import { imagesOf } from '../../images/library-location.ts';
import type { ProjectName } from '../addresses.ts';
import { openProject } from '../open-project.ts';
import { deleteProject } from '../project-contents.ts';
import { type ProjectWork, readProject } from './read-project.ts';
import { writeProject } from './write-project.ts';

/**
 * Copies a project with its components, cards, layouts, images, notes and print settings, of which nothing is printed yet;
 * answers the copy's id. A failure leaves no half of a copy.
 * @param from the version that is copied; the copy remembers it
 */
export async function duplicateProject(name: ProjectName, work: ProjectWork, from?: Branch): Promise<string> {
  const half = (from: number): ProjectWork => ({
    signal: work.signal,
    onProgress: ({ done, total, what }) =>
      work.onProgress?.({ done: Math.round(from + (50 * done) / Math.max(1, total)), total: 100, what }),
  });
  const project = openProject(name);
  const contents = await readProject(project, half(0));
  const copyName = `${cutText(contents.project.name, MAX_NAME_LENGTH - 5)} copy`;
  const id = await writeProject(
    { ...contents, project: { ...contents.project, name: copyName }, comments: [], runs: [] },
    half(50),
    project.place,
    from,
  );
  try {
    // A new project has no images, so the copies keep their ids and names: what names them goes on.
    const images = (await getDocs(project.images)).docs.map((image) => image.id);
    await copyImages(imagesOf(project), imagesOf({ id }), images);
    return id;
  } catch (error) {
    await deleteProject({ id }).catch(() => undefined);
    throw error;
  }
}
