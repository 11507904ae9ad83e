import { deleteObject, getDownloadURL, list, ref, type StorageReference, uploadBytes } from '@sdk/storage';
import { toHex } from '../../core/hex.ts';
import type { LayoutFont } from '../../core/scene/style/layout-font.ts';
import type { FontFileInfo } from '../../core/text/fonts/font-file.ts';
import { isolated } from '../../core/text/names.ts';
import { sessionUser } from '../account/session.ts';
import { fontFolder } from '../project/addresses.ts';
import { fileStore } from '../server/files.ts';
import { saveUserObject, userObjectStore } from '../user-object/use-user-object.ts';
import { customFonts, entryOf, MAX_CUSTOM_FONTS, withFont } from './custom-fonts.ts';
import { storagePathOf } from './own-fonts.ts';

/** Most stored files looked through for one that is brought again: as many as the server lists at a time. */
const MAX_LISTED = 1_000;

/**
 * Checks a font file, stores it and puts it on the list of who is signed in.
 * @throws FontFileError when it is no usable font; Error when it cannot be stored
 */
export async function addCustomFont(
  file: File,
): Promise<{ readonly info: FontFileInfo; readonly font: LayoutFont | undefined }> {
  const user = sessionUser();
  if (!user) throw new Error('This needs a signed-in user.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { readFontFile } = await import('../../core/text/fonts/font-file.ts');
  const info = await readFontFile(bytes, file.name);
  const { object, ready } = userObjectStore()?.snapshot() ?? { ready: false };
  if (ready && isFull(withFont(object.userFonts, entryOf(info, '')))) throw noRoom();
  const folder = ref(fileStore(), fontFolder(user.uid));
  const target = ref(folder, `${await digest(bytes)}.${info.format}`);
  // Stored before: layouts may show it by the address it has, which another upload would change.
  const known = await isThere(folder, target);
  if (known !== true) await uploadBytes(target, bytes, { contentType: `font/${info.format}` });
  const { pathname, search } = new URL(await getDownloadURL(target));
  const entry = entryOf(info, pathname + search);
  let full = false;
  const stored = await saveUserObject(({ userFonts }) => {
    const next = withFont(userFonts, entry);
    full = isFull(next);
    return full ? {} : { userFonts: next };
  });
  if (full) {
    // Another tab has filled the list meanwhile: nothing shows this file.
    if (known === false) await deleteObject(target);
    throw noRoom();
  }
  if (!stored) throw new Error(`${isolated(file.name)} could not be put on your list. Try again.`);
  return { info, font: customFonts([entry], user.uid)[0] };
}

const isFull = (fonts: readonly unknown[]): boolean => fonts.length > MAX_CUSTOM_FONTS;

const noRoom = (): Error =>
  new Error(`There is room for ${MAX_CUSTOM_FONTS} fonts of your own. Remove one first.`);

/** True if the file is in the folder; `undefined` if the folder holds more files than are searched. */
async function isThere(folder: StorageReference, file: StorageReference): Promise<boolean | undefined> {
  const { items, nextPageToken } = await list(folder, { maxResults: MAX_LISTED });
  if (items.some(({ fullPath }) => fullPath === file.fullPath)) return true;
  return nextPageToken === undefined ? false : undefined;
}

/**
 * Takes a font off the list of who is signed in.
 * @param inUse layouts still show it: its file stays
 */
export async function removeCustomFont(font: LayoutFont, inUse: boolean): Promise<void> {
  const stored = await saveUserObject(({ userFonts }) => ({
    userFonts: userFonts.filter(({ url }) => url !== font.url),
  }));
  if (!stored) throw new Error(`${isolated(font.name)} could not be removed. Try again.`);
  if (!inUse) await deleteObject(ref(fileStore(), storagePathOf(font.url)));
}

/** Names files by what is in them, so that one file is stored once. */
async function digest(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
  return toHex(hash.subarray(0, 16));
}
