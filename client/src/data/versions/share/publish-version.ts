import { doc, getDocs, orderBy, query, runTransaction, serverTimestamp, writeBatch } from '@sdk/firestore';
import { toRulebook } from '../../../core/book/prose/convert.ts';
import { ImageLibrary } from '../../../core/images/library.ts';
import { MAX_IMAGE_BYTES } from '../../../core/images/limits.ts';
import { sourcesInScene } from '../../../core/images/sources.ts';
import { readBody } from '../../../core/read-body.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import { isStoredHere } from '../../../core/stored-file.ts';
import {
  parseSharedVersion,
  SHARED_VERSION,
  type SharedImage,
  type SharedVersion,
  sharedParts,
} from '../../../core/versions/shared-version.ts';
import type { BookPicture } from '../../../workers/rulebook/rulebook-protocol.ts';
import type { PagesRequest } from '../../../workers/rulebook/rulebook-setter.ts';
import { sessionUser } from '../../account/session.ts';
import {
  componentSchema,
  layoutDocumentSchema,
  readDocument,
  rulebookSchema,
  type WithId,
} from '../../documents/documents.ts';
import { readFont } from '../../fonts/own-fonts.ts';
import { toLibraryImage } from '../../images/library-store.ts';
import { readImagesSeen, readProjectImages } from '../../images/project-images.ts';
import { thumbnailUrl } from '../../images/schema.ts';
import { setSharedImages } from '../../images/shared-images.ts';
import { ownLayouts } from '../../layouts/own-layouts.ts';
import type { FitGroups } from '../../play/parts.ts';
import { sourcesInRow } from '../../play/parts.ts';
import { readCards, readParts } from '../../play/read-parts.ts';
import { isExportFolder } from '../../project/addresses.ts';
import type { Project } from '../../project/open-project.ts';
import { newPublicFolder, type PublicFolder, removePublicFolder } from '../../project/published.ts';
import { readOwnLanguage } from '../../project/read-own-language.ts';
import type { ProjectWork } from '../../project/transfer/read-project.ts';
import type { BookPart } from '../../rulebooks/card-names.ts';
import { projectFacts } from '../../rulebooks/project-facts.ts';
import { editionOf } from '../../rulebooks/publish.ts';
import { readShare } from '../../rulebooks/read-edition.ts';
import { readText } from '../../rulebooks/read-text.ts';
import { newLink, SHARES } from '../../rulebooks/shares.ts';
import { openState } from '../opened-state.ts';
import { type GameVersion, gameVersionSchema } from '../schema.ts';

/** Longer side of a shared picture, in pixels: enough for a screen, and not for a print. */
const PICTURE_PX = 1024;
/** Painters look here before the project of today. */
const FIRST_RANK = -2;
const OWNER = 'version that is being shared';

/** Painting, which takes a browser. */
export interface SharingTools {
  readonly fitGroups: FitGroups;
  readonly illustrate: (
    request: PagesRequest,
    following: { readonly signal: AbortSignal; readonly onProgress: () => void },
  ) => Promise<readonly BookPicture[]>;
}

type Shared = WithId<GameVersion>;

/**
 * Makes a public link of a version and answers it: everybody who has it sees the cards, boards and rulebooks as they were,
 * without an account. Nothing is left behind when it fails.
 */
export async function publishVersion(
  project: Project,
  game: string,
  version: Shared,
  tools: SharingTools,
  { signal = new AbortController().signal, onProgress }: ProjectWork,
): Promise<string> {
  const then = await openState(project, version.id);
  const images = await readProjectImages(then);
  setSharedImages(
    OWNER,
    images.map((image) => ({ ...toLibraryImage(image), rank: FIRST_RANK })),
  );
  const folder = newPublicFolder(project);
  const told = (what: string) => (done: number, total: number) => {
    signal.throwIfAborted();
    onProgress?.({ done, total, what });
  };
  try {
    const contents = await contentsOf(then, tools.fitGroups);
    const shown = await sharedFiles(contents, folder, told('Copying pictures'));
    const rulebooks = await sharedBooks(then, version.name, tools, folder, signal, told('Copying rulebooks'));
    const { name, number, at } = version;
    const whole: SharedVersion = { version: SHARED_VERSION, game, name, number, at, ...shown, rulebooks };
    const bytes = new TextEncoder().encode(JSON.stringify(parseSharedVersion(whole)));
    const file = await folder.put('version.json', bytes, 'application/json');
    signal.throwIfAborted();
    return await announce(project, game, version, file, folder.path);
  } catch (error) {
    await removePublicFolder(folder.path).catch(() => undefined);
    throw error;
  } finally {
    setSharedImages(OWNER, []);
  }
}

interface Contents extends Pick<SharedVersion, 'layouts' | 'tables' | 'parts'> {
  readonly images: SharedImage[];
}

/** Cards and boards of a version, pages of documents among them, and the pictures that they show. */
async function contentsOf(then: Project, fitGroups: FitGroups): Promise<Contents> {
  const components = await readComponents(then);
  const { parts } = await readParts(
    then,
    components.map((one) => ({ ...one, kind: one.kind === 'documents' ? ('boards' as const) : one.kind })),
    fitGroups,
  );
  const shared = sharedParts(parts);
  const library = new ImageLibrary(await readImagesSeen(then));
  const sources = [
    ...sourcesInScene(shared.layouts),
    ...parts.flatMap(({ part }, at) =>
      (shared.parts[at]?.cards ?? []).flatMap((row) => sourcesInRow(row, part.columns)),
    ),
  ];
  const images = new Map<string, SharedImage>();
  for (const source of sources) {
    const image = library.find(source);
    if (!image) continue;
    const { id, shelf, path, former, url, crop, focus } = image;
    images.set(`${shelf}:${id}`, {
      ...{ id, shelf, path, former: [...former], url },
      ...(crop && { crop }),
      ...(focus && { focus }),
    });
  }
  return { ...shared, images: [...images.values()] };
}

async function readComponents(then: Project) {
  const { docs } = await getDocs(query(then.components, orderBy('order')));
  return docs.map((one) => ({ ...readDocument(componentSchema, one.ref.path, one.data()), id: one.id }));
}

/** Copies pictures, as sharp as a screen needs them, and fonts into the folder of the link: they go with it. */
async function sharedFiles(
  { images, layouts, ...shared }: Contents,
  folder: PublicFolder,
  onProgress: (done: number, total: number) => void,
): Promise<Contents> {
  const fonts = [...new Set(layouts.flatMap(({ fonts = [] }) => fonts.map(({ url }) => url)))];
  const total = images.length + fonts.length;
  const copies: SharedImage[] = [];
  for (const [at, image] of images.entries()) {
    onProgress(at, total);
    const url = await copyPicture(image.url, folder, `picture-${at + 1}`);
    // Cards show its name in place of a picture that is gone.
    if (url !== undefined) copies.push({ ...image, url });
  }
  const addresses = new Map<string, string>();
  for (const [at, url] of fonts.entries()) {
    onProgress(images.length + at, total);
    const bytes = isStoredHere(url) ? await readFont(url).catch(() => undefined) : undefined;
    if (bytes) addresses.set(url, pathOf(await folder.put(`font-${at + 1}`, bytes, 'font/otf')));
  }
  const withFonts = (layout: Layout): Layout =>
    layout.fonts
      ? {
          ...layout,
          fonts: layout.fonts.map((font) => ({ ...font, url: addresses.get(font.url) ?? font.url })),
        }
      : layout;
  return { ...shared, layouts: layouts.map(withFonts), images: copies };
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}

async function copyPicture(url: string, folder: PublicFolder, name: string): Promise<string | undefined> {
  // Documents name addresses, and people write documents.
  if (!isStoredHere(url)) return undefined;
  const reply = await fetch(thumbnailUrl(url, PICTURE_PX));
  if (reply.status === 404) return undefined;
  if (!reply.ok) throw new Error(`A picture could not be read: the server answered ${reply.status}.`);
  const type = reply.headers.get('content-type') ?? 'application/octet-stream';
  const bytes = await readBody(reply, MAX_IMAGE_BYTES);
  const ending = /^image\/([a-z]+)/.exec(type)?.[1] ?? 'bin';
  return pathOf(await folder.put(`${name}.${ending}`, bytes, type));
}

/** Stores the rulebooks of a version as editions, each with the pictures that it shows. */
async function sharedBooks(
  then: Project,
  versionName: string,
  { illustrate }: SharingTools,
  folder: PublicFolder,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<SharedVersion['rulebooks']> {
  const { docs } = await getDocs(query(then.rulebooks, orderBy('order')));
  const books = docs
    .map((one) => ({ ...readDocument(rulebookSchema, one.ref.path, one.data()), id: one.id }))
    .filter(({ deletedAt }) => deletedAt === 0);
  if (books.length === 0) return [];
  const parts: BookPart[] = [];
  for (const component of await readComponents(then))
    parts.push({ component, cards: await readCards(then, component) });
  const listed = (await getDocs(then.layouts)).docs.map((one) => ({
    ...readDocument(layoutDocumentSchema, one.ref.path, one.data()),
    id: one.id,
  }));
  const layouts = ownLayouts(listed, await readOwnLanguage(then));
  const stored: { title: string; file: string }[] = [];
  for (const [no, { id, title, subtitle, language, style, format }] of books.entries()) {
    onProgress(no, books.length);
    const text = (await readText(then, id)).doc;
    const book = toRulebook(text, { title: title || 'Rules', subtitle, language });
    const facts = projectFacts(book, parts, layouts, true);
    const request = { doc: book, style, format, project: facts };
    const pictures = await illustrate(request, { signal, onProgress: () => onProgress(no, books.length) });
    const addresses: string[] = [];
    for (const [at, { kind, type, bytes }] of pictures.entries()) {
      addresses.push(await folder.put(`rulebook-${no + 1}-${kind}-${at}.${type.split('/')[1]}`, bytes, type));
      onProgress(no, books.length);
    }
    const edition = editionOf({ book, facts, pictures, name: '', gameVersion: versionName }, 1, addresses);
    const bytes = new TextEncoder().encode(JSON.stringify(edition));
    stored.push({
      title: book.title,
      file: await folder.put(`rulebook-${no + 1}.json`, bytes, 'application/json'),
    });
  }
  return stored;
}

/** Puts the version at its link, unless somebody else was faster, or has deleted it. */
function announce(
  project: Project,
  game: string,
  { id, name, number }: Shared,
  file: string,
  folder: string,
): Promise<string> {
  const link = newLink();
  const ref = project.gameVersion(id);
  return runTransaction(project.db, async (transaction) => {
    const found = await transaction.get(ref);
    if (!found.exists()) throw new Error('The version has been deleted.');
    if (readDocument(gameVersionSchema, ref.path, found.data()).link !== '')
      throw new Error('Somebody else has made a link of this version at the same time.');
    transaction.set(doc(project.db, SHARES, link), {
      ...{ kind: 'version', projectId: project.id, of: id, title: game.slice(0, 200), number, name },
      ...{ by: sessionUser()?.uid ?? '', at: serverTimestamp(), file, folder, before: null },
    });
    transaction.update(ref, { link });
    return link;
  });
}

/** Withdraws the link of a version: it leads nowhere from then on, and its files go. */
export async function withdrawVersion(
  project: Project,
  { id, link }: Pick<Shared, 'id' | 'link'>,
): Promise<void> {
  if (link === '') return;
  const published = await readShare(link).catch(() => undefined);
  const batch = writeBatch(project.db);
  // A version names its link, and any editor writes that: the link of another project stays.
  if (!published || published.projectId === project.id) batch.delete(doc(project.db, SHARES, link));
  batch.update(project.gameVersion(id), { link: '' });
  await batch.commit();
  // Without the link nobody finds the files; should this fail, they go with the project.
  if (published && isExportFolder(published.folder, project.id))
    await removePublicFolder(published.folder).catch(() => undefined);
}
