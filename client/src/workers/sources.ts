import { type ImageLibrary, isAddress } from '../core/images/library.ts';
import { type FaceFile, type FamilyRecord, type FontFamily, familyOf } from '../core/text/catalogue.ts';
import type { ImageReader } from '../render/image-registry.ts';

/** Folder of the fonts on the site; the build writes it. */
const FONTS_PATH = '/fonts/';
/** Largest image fetched, in bytes. */
const MAX_IMAGE_BYTES = 40 * 1024 * 1024;

/** URL of a face's file, on the site or elsewhere. */
export function faceUrl({ file }: Pick<FaceFile, 'file'>): string {
  return file.includes('/') ? file : `${FONTS_PATH}${file}`;
}

/** Reads a face from the site. */
export async function fetchFace(face: FaceFile): Promise<Uint8Array> {
  const response = await fetch(faceUrl(face));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Reads the list of library fonts. */
export async function fetchFontList(): Promise<readonly FontFamily[]> {
  const response = await fetch(`${FONTS_PATH}library.json`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const { families } = (await response.json()) as { families: readonly FamilyRecord[] };
  return families.map(familyOf);
}

/** Images given by name come first, then those of the library; other sources are read if they are URLs. */
export function imageReader(
  named: ReadonlyMap<string, Blob>,
  library: () => ImageLibrary | Promise<ImageLibrary>,
): ImageReader {
  return async (source) => {
    const given = named.get(source);
    const found = given ? undefined : (await library()).find(source);
    const url = found?.url ?? (isAddress(source) ? source : undefined);
    const blob = given ?? (url === undefined ? undefined : await fetchBlob(url));
    if (!blob || blob.size > MAX_IMAGE_BYTES) return undefined;
    return { bytes: new Uint8Array(await blob.arrayBuffer()), crop: found?.crop, focus: found?.focus };
  };
}

async function fetchBlob(url: string): Promise<Blob | undefined> {
  const response = await fetch(url);
  return response.ok ? response.blob() : undefined;
}
