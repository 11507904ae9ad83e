import { httpsCallable } from '@sdk/functions';
import { getCallables } from '../database.ts';
import { type ImagePlace, projectOfPlace } from './library-location.ts';

/** Most images of one call. */
const MAX_IDS = 200;

/** A place as the callable names it: without a project, the user's library. */
const wireName = (place: ImagePlace): { readonly project?: string } => {
  const project = projectOfPlace(place);
  return project === undefined ? {} : { project };
};

/**
 * Copies images with their files, on the server. What was copied before is not copied again.
 * @param renew copies that were made before get the content that their originals have now
 * @returns the ids of the copies by those of the originals; what is not there any more is left out
 * @throws FirebaseError when a limit of the plan is reached, or the user may not; what was copied by then stays
 */
export async function copyImages(
  from: ImagePlace,
  to: ImagePlace,
  ids: readonly string[],
  renew = false,
): Promise<ReadonlyMap<string, string>> {
  const call = httpsCallable<object, { readonly ids: Readonly<Record<string, string>> }>(
    getCallables(),
    'copyAssets',
  );
  const copies = new Map<string, string>();
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const request = {
      kind: 'images',
      from: wireName(from),
      to: wireName(to),
      ids: ids.slice(at, at + MAX_IDS),
      ...(renew && { renew }),
    };
    for (const [id, copy] of Object.entries((await call(request)).data.ids)) copies.set(id, copy);
  }
  return copies;
}
