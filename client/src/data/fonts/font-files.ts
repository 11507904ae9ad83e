import { deleteObject, getDownloadURL, ref, uploadBytes } from '@sdk/storage';
import type { LayoutFont } from '../../core/scene/layout-font.ts';
import type { FontFileInfo } from '../../core/text/font-file.ts';
import { fileStore } from '../files.ts';
import { sessionUser } from '../session.ts';
import { saveUserObject } from '../user-object/use-user-object.ts';
import { entryOf, MAX_OWN_FONTS, ownFonts, withFont } from './own-fonts.ts';

/**
 * Checks a font file, stores it and puts it on the list of who is signed in.
 * @throws FontFileError when it is no usable font; Error when it cannot be stored
 */
export async function addOwnFont(
  file: File,
): Promise<{ readonly info: FontFileInfo; readonly font: LayoutFont | undefined }> {
  const user = sessionUser();
  if (!user) throw new Error('This needs a signed-in user.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { readFontFile } = await import('../../core/text/font-file.ts');
  const info = await readFontFile(bytes, file.name);
  const target = ref(fileStore(), `users/${user.uid}/fonts/${await digest(bytes)}.${info.format}`);
  await uploadBytes(target, bytes, { contentType: `font/${info.format}` });
  const { pathname, search } = new URL(await getDownloadURL(target));
  const entry = entryOf(info, pathname + search);
  let full = false;
  const stored = await saveUserObject(({ userFonts }) => {
    const next = withFont(userFonts, entry);
    full = next.length > MAX_OWN_FONTS;
    return full ? {} : { userFonts: next };
  });
  if (full) throw new Error(`There is room for ${MAX_OWN_FONTS} fonts of your own. Remove one first.`);
  if (!stored) throw new Error(`${file.name} could not be put on your list. Try again.`);
  return { info, font: ownFonts([entry], user.uid)[0] };
}

/**
 * Takes a font off the list of who is signed in.
 * @param inUse layouts still show it: its file stays
 */
export async function removeOwnFont(font: LayoutFont, inUse: boolean): Promise<void> {
  const stored = await saveUserObject(({ userFonts }) => ({
    userFonts: userFonts.filter(({ url }) => url !== font.url),
  }));
  if (!stored) throw new Error(`${font.name} could not be removed. Try again.`);
  if (!inUse) await deleteObject(ref(fileStore(), storagePathOf(font.url)));
}

/** The path in the bucket that a download address is of. */
function storagePathOf(url: string): string {
  const [, path = ''] = /\/o\/([^?]+)/.exec(url) ?? [];
  return decodeURIComponent(path);
}

/** Names files by what is in them, so that one file is stored once. */
async function digest(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
  return Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
