import { httpsCallable } from '@sdk/functions';
import * as z from 'zod';
import type { WithId } from '../documents/documents.ts';
import type { LayoutName } from '../project/layout-address.ts';
import { getCallables } from '../server/database.ts';
import { sharedImageSchema } from './schema.ts';
import { setSharedImages } from './shared-images.ts';

/** An image that a layout shows, for people who see neither its library nor its project. */
export type LayoutImage = WithId<z.infer<typeof sharedImageSchema>>;

/** Those of an unknown shape are left out. */
const replySchema = z.object({
  images: z.array(sharedImageSchema.extend({ id: z.string() }).nullable().catch(null)),
});

/**
 * The images that a layout shows, of its project or of the library that it lies in. The server tells them to everybody who
 * may read the layout, by its link too.
 * @param owner account whose library it lies in, where the name has no project
 */
export async function readLayoutImages(owner: string, { project, id }: LayoutName): Promise<LayoutImage[]> {
  const call = httpsCallable<object, unknown>(getCallables(), 'layoutImages');
  const place = project === undefined ? { owner } : { project };
  const { images } = replySchema.parse((await call({ ...place, id })).data);
  return images.filter((image) => image !== null);
}

/** Names of a shared layout mean its own images before one's own. */
export const asShared = (image: LayoutImage) => ({ ...image, shelf: 'image' as const, rank: -1 });

/** Lets painters have the images that somebody else's layout shows until the answer is called. */
export function showShared(images: readonly LayoutImage[]): () => void {
  setSharedImages('layout', images.map(asShared));
  return () => setSharedImages('layout', []);
}
