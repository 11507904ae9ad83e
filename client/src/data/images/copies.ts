import { copyAssets, type LayoutSource, type NamedPlace } from '../asset-copies.ts';
import { type ImagePlace, projectOfPlace } from './library-location.ts';

/** A place as the server names it: without a project, the user's library. */
const named = (place: ImagePlace): NamedPlace => {
  const project = projectOfPlace(place);
  return project === undefined ? {} : { project };
};

/**
 * Copies images with their files, on the server. What was copied before is not copied again.
 * @param from a place, or a layout that shows them
 * @param renew copies that were made before get the content that their originals have now
 * @returns the ids of the copies by those of the originals; what is not there any more is left out
 * @throws FirebaseError when a limit of the plan is reached, or the user may not; what was copied by then stays
 */
export async function copyImages(
  from: ImagePlace | LayoutSource,
  to: ImagePlace,
  ids: readonly string[],
  renew = false,
): Promise<ReadonlyMap<string, string>> {
  const source = typeof from === 'string' ? named(from) : from;
  return (await copyAssets('images', source, named(to), ids, renew)).ids;
}
