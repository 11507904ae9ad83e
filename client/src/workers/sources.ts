import type { FaceFile } from '../core/text/catalogue.ts';
import type { ImageReader } from '../render/image-book.ts';

/** Folder of the fonts on the site; the build writes it. */
const FONTS_PATH = '/fonts/';
/** Largest image fetched, in bytes. */
const MAX_IMAGE_BYTES = 40 * 1024 * 1024;

/** Reads a face from the site. */
export async function fetchFace(face: FaceFile): Promise<Uint8Array> {
  const response = await fetch(`${FONTS_PATH}${face.file}`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Images given by name come first; other sources are read when they are URLs. */
export function imageReader(named: ReadonlyMap<string, Blob>): ImageReader {
  return async (source) => {
    const blob = named.get(source) ?? (isUrl(source) ? await fetchBlob(source) : undefined);
    if (!blob || blob.size > MAX_IMAGE_BYTES) return undefined;
    return new Uint8Array(await blob.arrayBuffer());
  };
}

function isUrl(source: string): boolean {
  return /^(?:data:image\/|blob:|https?:\/\/|\/)/i.test(source);
}

async function fetchBlob(url: string): Promise<Blob | undefined> {
  const response = await fetch(url);
  return response.ok ? response.blob() : undefined;
}
