import { deleteDoc, doc, serverTimestamp, setDoc } from '@sdk/firestore';
import { deleteObject, ref } from '@sdk/storage';
import { MAX_IMAGE_BYTES } from '../../../core/images/limits.ts';
import { BodyTooLarge, readBody } from '../../../core/read-body.ts';
import { type ImagePlace, locationOf, projectOfPlace } from '../../images/library-location.ts';
import { readLibraries, type StoredImage } from '../../images/library-store.ts';
import { readImagesAt, readImagesSeen } from '../../images/project-images.ts';
import { MAX_CREDIT_LENGTH, MAX_FORMER_PATHS, MAX_LICENCE_LENGTH, MAX_TAGS } from '../../images/schema.ts';
import { contentHash } from '../../images/upload/content-hash.ts';
import { prepare, send } from '../../images/upload/uploads.ts';
import { fileStore } from '../../server/files.ts';
import type { Project } from '../open-project.ts';
import type { ImageTarget } from './images-in.ts';
import type { ImageSource } from './images-out.ts';

/** An image's file, from its address. */
export async function fileOf({ url }: { readonly url: string }, signal?: AbortSignal) {
  const answer = await fetch(url, signal ? { signal } : {}).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new Error(error instanceof TypeError ? 'the server cannot be reached.' : String(error));
  });
  if (answer.status === 404) throw new Error('its file is not on the server any more.');
  if (!answer.ok) throw new Error(`the server answers with status ${answer.status}.`);
  return readBody(answer, MAX_IMAGE_BYTES).catch((error: unknown): never => {
    signal?.throwIfAborted();
    if (error instanceof BodyTooLarge)
      throw new Error(`it is larger than ${MAX_IMAGE_BYTES / 1024 / 1024} MB.`);
    throw new Error('the server cannot be reached.');
  });
}

/** Images that a project may show: its own, and those of the user's libraries. */
export function imageSourceOf(project: Project): ImageSource {
  return {
    images: () => readImagesSeen(project),
    read: fileOf,
    hash: contentHash,
  };
}

/** Images that a place may mean when pictures are taken into it: its own, and those for everybody. */
async function imagesAt(place: ImagePlace): Promise<readonly StoredImage[]> {
  const libraries = await readLibraries();
  const project = projectOfPlace(place);
  if (project === undefined) return libraries;
  const own = await readImagesAt(place);
  return [...own, ...libraries.filter(({ shelf }) => shelf === 'stock')];
}

/** A library or a project, to take pictures into. */
export const imageTarget = (place: ImagePlace): ImageTarget => ({
  images: () => imagesAt(place),
  keptHash: (image) => fileOf(image).then(contentHash, () => undefined),
  prepare: (bytes) => prepare(new Blob([bytes])),
  send: (id, content, signal) =>
    send({ id, shelf: place }, content, { signal, onSent: () => {}, onSession: () => {} }),
  async add({ id, path, content, facts, file, url }) {
    const { hash, type, w, h, blob } = content;
    const { tags, licence, credit, former, focus, crop, icon } = facts;
    await setDoc(locationOf(place).image(id), {
      path,
      former: former.slice(0, MAX_FORMER_PATHS),
      file,
      url,
      hash,
      bytes: blob.size,
      type,
      w,
      h,
      tags: tags.slice(0, MAX_TAGS),
      licence: licence.slice(0, MAX_LICENCE_LENGTH),
      credit: credit.slice(0, MAX_CREDIT_LENGTH),
      ...(focus && { focus }),
      ...(crop && { crop }),
      ...(icon && { icon }),
      createdAt: serverTimestamp(),
      updatedAt: serverTimestamp(),
    });
  },
  async remove(added, files) {
    await Promise.allSettled(added.map((id) => deleteDoc(locationOf(place).image(id))));
    await Promise.allSettled(files.map((file) => deleteObject(ref(fileStore(), file))));
  },
  newId: () => doc(locationOf(place).images()).id,
});
