import { type ImageLibrary, isAddress } from '../../core/images/library.ts';
import { MAX_IMAGE_BYTES } from '../../core/images/limits.ts';
import { BodyTooLarge, readBody } from '../../core/read-body.ts';
import { isStoredHere } from '../../core/stored-file.ts';
import {
  type FaceFile,
  type FamilyRecord,
  type FontFamily,
  familyOf,
} from '../../core/text/fonts/catalogue.ts';
import { MAX_FONT_BYTES } from '../../core/text/fonts/font-limits.ts';
import type { FontLists } from '../../core/text/fonts/required-faces.ts';
import { type ImageReader, ImageRefused } from '../../render/images/image-registry.ts';

/** Folder of the fonts on the site; the build writes it. */
const FONTS_PATH = '/fonts/';

/** URL of a face's file, on the site or elsewhere. */
export function faceUrl({ file }: Pick<FaceFile, 'file'>): string {
  return file.includes('/') ? file : `${FONTS_PATH}${file}`;
}

/** Reads a face from the site. @throws Error when its address is that of no font on this server */
export async function fetchFace(face: FaceFile): Promise<Uint8Array> {
  const url = faceUrl(face);
  if (!url.startsWith(FONTS_PATH) && !isStoredHere(url)) throw new Error('it is no font stored here');
  const response = await fetch(url, { redirect: 'error' });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return readBody(response, MAX_FONT_BYTES);
}

/** Reads the list of library fonts. */
export async function fetchFontList(): Promise<readonly FontFamily[]> {
  return familiesIn(await fetch(`${FONTS_PATH}library.json`));
}

/** Reads the list of the pack for Chinese, Japanese and Korean; empty where the server does not have it. */
export async function fetchFontPack(): Promise<readonly FontFamily[]> {
  const response = await fetch(`${FONTS_PATH}cjk/families.json`);
  return response.status === 404 ? [] : familiesIn(response);
}

/** The site's lists of fonts. */
export const FONT_LISTS: FontLists = { library: fetchFontList, eastAsian: fetchFontPack };

async function familiesIn(response: Response): Promise<readonly FontFamily[]> {
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
    const bytes = given ? await bytesOf(given) : url === undefined ? undefined : await fetchImage(url);
    return bytes && { bytes, crop: found?.crop, focus: found?.focus };
  };
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  if (file.size > MAX_IMAGE_BYTES) throw new ImageRefused(new BodyTooLarge(MAX_IMAGE_BYTES).message);
  return new Uint8Array(await file.arrayBuffer());
}

/** Addresses whose bytes are in the page. */
const IN_PAGE = /^(?:data|blob):/i;

/** @throws ImageRefused when the image is too large, or its address is that of no stored file of this server */
async function fetchImage(url: string): Promise<Uint8Array | undefined> {
  // People write addresses: other servers would learn who opens a project, and other paths of this one are no images.
  if (!IN_PAGE.test(url) && !isStoredHere(url)) {
    const fault = isElsewhere(url) ? 'lies on another server' : 'is no stored image';
    throw new ImageRefused(`${fault}: upload it to your images, and name it here.`);
  }
  try {
    const response = await fetch(url, { redirect: 'error' });
    return response.ok ? await readBody(response, MAX_IMAGE_BYTES) : undefined;
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new ImageRefused(error.message, { cause: error });
    return undefined;
  }
}

function isElsewhere(url: string): boolean {
  const here = globalThis.location?.origin;
  if (here === undefined || !URL.canParse(url, here)) return false;
  const { protocol, origin } = new URL(url, here);
  return (protocol === 'http:' || protocol === 'https:') && origin !== here;
}
