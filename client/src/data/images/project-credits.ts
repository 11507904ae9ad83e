import { ImageLibrary } from '../../core/images/library.ts';
import type { Project } from '../project/open-project.ts';
import { type CreditLine, creditLines, imagesOfProject } from './credits.ts';
import type { StoredImage } from './library-store.ts';
import { readProjectImages } from './project-images.ts';
import { imagesSeen } from './seen.ts';

/** Authors of a project's images. */
export interface ProjectCredits {
  readonly lines: readonly CreditLine[];
  /** Names that neither the project nor a library has. */
  readonly missing: readonly string[];
}

/**
 * The credits of a project: of its own images, and of those of the user's libraries.
 * @param libraryImages the user's own images, and those for everybody
 */
export async function creditsOf(
  project: Project,
  libraryImages: readonly StoredImage[],
): Promise<ProjectCredits> {
  const all = imagesSeen(await readProjectImages(project), libraryImages);
  const { images, missing } = await imagesOfProject(project, new ImageLibrary(all));
  const known = new Map(all.map((image) => [`${image.shelf}:${image.id}`, image]));
  return {
    lines: creditLines(images.flatMap(({ shelf, id }) => known.get(`${shelf}:${id}`) ?? [])),
    missing,
  };
}
