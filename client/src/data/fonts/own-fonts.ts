import {
  type DocumentReference,
  deleteDoc,
  getDoc,
  getDocs,
  runTransaction,
  serverTimestamp,
} from '@sdk/firestore';
import { deleteObject, getDownloadURL, ref, uploadBytes } from '@sdk/storage';
import { toHex } from '../../core/hex.ts';
import { readBody } from '../../core/read-body.ts';
import { sameDocument } from '../../core/scene/changes/same-document.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { type LayoutFont, layoutFontSchema } from '../../core/scene/style/layout-font.ts';
import { isSetIn } from '../../core/scene/style/used-fonts.ts';
import { isStoredHere } from '../../core/stored-file.ts';
import { MAX_FONT_BYTES } from '../../core/text/fonts/font-limits.ts';
import { isolated } from '../../core/text/names.ts';
import { copyAssets, type LayoutSource } from '../asset-copies.ts';
import { layoutDocumentSchema, type WithId } from '../documents/documents.ts';
import type { Layouts, Project } from '../project/open-project.ts';
import { fileStore } from '../server/files.ts';
import { type ProjectFont, projectFontSchema } from './project-font.ts';
import { unusedFonts } from './unused-fonts.ts';

/** Fonts of people's own lie with the layouts that name them, in a folder of the project or of the account. */
type FontPlace = Pick<Layouts, 'place' | 'fontFolder' | 'font'>;

/** Digits of a content's hash that name its file. */
const HASH_DIGITS = 32;
const ENDINGS = /\.(woff2?|ttf|otf)$/i;

/** The path in the bucket that a download address is of. */
export function storagePathOf(url: string): string {
  const [, path = ''] = /\/o\/([^?]+)/.exec(url) ?? [];
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return toHex(hash);
}

/** The name of a font's file: by its content, so that one file is stored once. */
export async function fontFileName(bytes: Uint8Array<ArrayBuffer>, url: string): Promise<string> {
  const ending = ENDINGS.exec(storagePathOf(url) || url)?.[1]?.toLowerCase() ?? 'otf';
  return `${(await hashOf(bytes)).slice(0, HASH_DIGITS)}.${ending}`;
}

/** A font's file. Rejects when it cannot be had. */
export async function readFont(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(url);
  if (answer.status === 404) throw new Error('its file is not on the server any more.');
  if (!answer.ok) throw new Error(`the server answers with status ${answer.status}.`);
  return readBody(answer, MAX_FONT_BYTES);
}

/** Stores a font's file in a place, unless it is there, and answers its address there. */
export async function storeFont(
  font: LayoutFont,
  bytes: Uint8Array<ArrayBuffer>,
  place: FontPlace,
): Promise<string> {
  const name = await fontFileName(bytes, font.url);
  const [id = '', ending = ''] = name.split('.');
  const document = place.font?.(id);
  if (document) return storeInProject(document, font, bytes, `${place.fontFolder}/${id}`, ending);
  const target = ref(fileStore(), `${place.fontFolder}/${name}`);
  // Stored before: layouts show it by the address that it has, which another upload would change.
  const known = await getDownloadURL(target).catch(() => undefined);
  if (known !== undefined) return pathOf(known);
  await uploadBytes(target, bytes, { contentType: `font/${ending}` });
  return pathOf(await getDownloadURL(target));
}

/** The font's document says which file is the font's: two people may store one at once, each a file of their own. */
async function storeInProject(
  document: DocumentReference,
  font: LayoutFont,
  bytes: Uint8Array<ArrayBuffer>,
  stem: string,
  ending: string,
): Promise<string> {
  const before = projectFontSchema.safeParse((await getDoc(document)).data());
  if (before.success) return before.data.url;
  const target = ref(fileStore(), `${stem}-${crypto.randomUUID().slice(0, 8)}.${ending}`);
  await uploadBytes(target, bytes, { contentType: `font/${ending}` });
  const own = pathOf(await getDownloadURL(target));
  const hash = await hashOf(bytes);
  const url = await runTransaction(document.firestore, async (transaction) => {
    const found = projectFontSchema.safeParse((await transaction.get(document)).data());
    if (found.success) return found.data.url;
    transaction.set(document, {
      ...layoutFontSchema.parse({ ...font, url: own }),
      file: target.fullPath,
      hash,
      bytes: bytes.length,
      createdAt: serverTimestamp(),
    });
    return own;
  });
  if (url !== own) await deleteObject(target).catch(() => undefined);
  return url;
}

/**
 * Deletes a font of a project. The layouts on the server decide: a list on the screen may be older than they are.
 * @throws Error when a layout is set in it, with the layout's name; FirebaseError when the user may not
 */
export async function removeProjectFont(project: Project, font: WithId<ProjectFont>): Promise<void> {
  for (const found of (await getDocs(project.layouts)).docs) {
    // Also of a layout that this version cannot read.
    const { name, scene } = found.data();
    if (JSON.stringify(scene ?? null).includes(JSON.stringify(font.url)))
      throw new Error(`${isolated(font.name)} stays: the layout “${String(name)}” is set in it.`);
  }
  await deleteDoc(project.font(font.id));
  // The font is gone already; a file that stays behind costs room and harms nobody.
  await deleteObject(ref(fileStore(), font.file)).catch(() => undefined);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address, globalThis.location?.href);
  return pathname + search;
}

/** The fonts of a layout whose files lie elsewhere on this server. */
const elsewhere = ({ fonts = [] }: Pick<Layout, 'fonts'>, { fontFolder }: FontPlace): LayoutFont[] =>
  fonts.filter(({ url }) => isStoredHere(url) && !storagePathOf(url).startsWith(`${fontFolder}/`));

/** Copies the fonts that a stored layout names elsewhere, on the server; answers their addresses by those that they have. */
async function copied(
  source: LayoutSource,
  scene: Layout,
  place: FontPlace,
): Promise<ReadonlyMap<string, string>> {
  const urls = [...new Set(elsewhere(scene, place).map(({ url }) => url))];
  if (urls.length === 0) return new Map();
  return (await copyAssets('fonts', source, place.place, urls)).urls;
}

function withAddresses(scene: Layout, addresses: ReadonlyMap<string, string>): Layout {
  if (!scene.fonts || addresses.size === 0) return scene;
  const fonts = scene.fonts.map((font) => ({ ...font, url: addresses.get(font.url) ?? font.url }));
  return { ...scene, fonts };
}

/**
 * A layout whose fonts lie in a place, so that they stay for as long as it does. A font that is gone stays as it is.
 * @param source the layout on the server that names them
 * @throws FirebaseError when they cannot be copied
 */
export async function withOwnFonts(scene: Layout, place: FontPlace, source: LayoutSource): Promise<Layout> {
  return withAddresses(scene, await copied(source, scene, place));
}

/** Gives a layout that was just saved fonts that lie where it lies, and takes off its list those that it is not set in any more. */
export async function settleFonts(layout: DocumentReference, scene: Layout, place: Layouts): Promise<void> {
  const addresses = await copied({ ...place.place, layout: layout.id }, scene, place);
  const dropped = await unusedFonts(layout, scene, place);
  if (addresses.size === 0 && dropped.size === 0) return;
  await runTransaction(layout.firestore, async (transaction) => {
    const read = layoutDocumentSchema.safeParse((await transaction.get(layout)).data());
    if (!read.success) return;
    const { scene: stored, revision } = read.data;
    // Meanwhile somebody may have set a text in it again.
    const fonts = withAddresses(stored, addresses).fonts?.filter(
      (font) => !dropped.has(font.family) || isSetIn(stored, font),
    );
    if (sameDocument(fonts, stored.fonts)) return;
    const { fonts: _, ...rest } = stored;
    transaction.update(layout, {
      scene: fonts && fonts.length > 0 ? { ...rest, fonts } : rest,
      revision: revision + 1,
      updatedAt: serverTimestamp(),
    });
  });
}
