import { doc, getDoc, runTransaction, serverTimestamp, writeBatch } from '@sdk/firestore';
import { blockPlace } from '../../core/book/document/block-words.ts';
import { RulebookError } from '../../core/book/document/error.ts';
import type { Rulebook } from '../../core/book/document/schema.ts';
import {
  EDITION_VERSION,
  type Edition,
  type EditionSetUp,
  type EditionTranslation,
  MAX_ALT,
  MAX_PICTURES,
  type Picture,
  parseEdition,
} from '../../core/book/edition/edition.ts';
import type { SetUpPicture } from '../../core/play/set-up/set-up-picture.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { BookPicture, ProjectFacts } from '../../workers/rulebook/rulebook-protocol.ts';
import { sessionUser } from '../account/session.ts';
import { readDocument, rulebookSchema } from '../documents/documents.ts';
import { isExportFolder } from '../project/addresses.ts';
import type { Project } from '../project/open-project.ts';
import { newPublicFolder, removePublicFolder } from '../project/published.ts';
import { readShare } from './read-edition.ts';
import { newLink, publishedSchema, SHARES } from './shares.ts';

/** Longest name of a version in an edition, in characters. */
const MAX_GAME_VERSION = 200;

/** A text with all that it takes from its project. */
export interface ToPublish {
  readonly book: Rulebook;
  readonly facts: Pick<ProjectFacts, 'values' | 'components' | 'setUp'>;
  readonly pictures: readonly BookPicture[];
  readonly translations?: readonly EditionTranslation[] | undefined;
  /** Name of the edition; may be empty. */
  readonly name: string;
  /** Name of the version of the game that it is of. */
  readonly gameVersion?: string | undefined;
}

/**
 * Publishes a text as the next edition of a rulebook, at its link or a new one, and answers the link. Nothing is left
 * behind when it fails.
 */
export async function publish(
  project: Project,
  rulebook: string,
  text: ToPublish,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<string> {
  if (text.pictures.length > MAX_PICTURES) {
    throw new RulebookError(
      `The text shows ${text.pictures.length} pictures; ${MAX_PICTURES} can be published.`,
    );
  }
  const stored = (await getDoc(project.rulebook(rulebook))).data();
  const { link } = readDocument(rulebookSchema, project.rulebook(rulebook).path, stored);
  const before = await readShare(link);
  const number = (before?.number ?? 0) + 1;
  const folder = newPublicFolder(project);
  try {
    const addresses: string[] = [];
    for (const [at, { kind, type, bytes }] of text.pictures.entries()) {
      addresses.push(await folder.put(`${kind}-${at}.${type.split('/')[1]}`, bytes, type));
      onProgress(at + 1, text.pictures.length);
      signal.throwIfAborted();
    }
    const bytes = new TextEncoder().encode(written(editionOf(text, number, addresses)));
    const file = await folder.put('rulebook.json', bytes, 'application/json');
    signal.throwIfAborted();
    const made = await announce(project, rulebook, { link, number, text, file, folder: folder.path });
    await removeEdition(project, before?.before);
    return made;
  } catch (error) {
    await removePublicFolder(folder.path).catch(() => undefined);
    throw error;
  }
}

/** An edition as it is stored. @throws RulebookError when readers could not open it */
function written(edition: Edition): string {
  const text = JSON.stringify(edition);
  try {
    parseEdition(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof RulebookError)) throw error;
    const { block } = error;
    const place = block === undefined ? undefined : blockPlace(edition.book.blocks, block);
    const where = place === undefined ? '' : ` The fault is in ${place}.`;
    throw new RulebookError(
      `This text is not published, because readers could not open it.${where} ${error.message}`,
      { block, cause: error },
    );
  }
  return text;
}

/** An edition of a text whose pictures lie at these addresses. */
export function editionOf(
  { book, facts, pictures, name, gameVersion, translations = [] }: ToPublish,
  number: number,
  addresses: readonly string[],
): Edition {
  const of = (wanted: BookPicture['kind']): Picture[] =>
    pictures.flatMap(({ kind, name, w, h, alt }, at) =>
      kind === wanted ? [{ name, address: addresses[at] ?? '', w, h, alt: cutText(alt, MAX_ALT) }] : [],
    );
  const [shown] = of('setup');
  return {
    version: EDITION_VERSION,
    number,
    name,
    at: Date.now(),
    ...(gameVersion && { gameVersion: cutText(gameVersion, MAX_GAME_VERSION) }),
    book,
    cards: of('card'),
    icons: of('icon'),
    figures: of('figure'),
    values: facts.values.flatMap(([formula, value]) =>
      'text' in value ? [[formula, value.text] as const] : [],
    ),
    components: facts.components,
    ...(translations.length > 0 && { translations }),
    ...(shown && facts.setUp && 'legend' in facts.setUp && { setUp: setUpOf(facts.setUp, shown) }),
  };
}

const setUpOf = ({ w, h, legend }: SetUpPicture<unknown>, picture: Picture): EditionSetUp => ({
  picture,
  legend: legend.map(({ words, x, y }) => ({ words, x: x / w, y: y / h })),
});

/** Puts the edition at the link, unless somebody else was faster. */
function announce(
  project: Project,
  rulebook: string,
  made: {
    readonly link: string;
    readonly number: number;
    readonly text: ToPublish;
    readonly file: string;
    readonly folder: string;
  },
): Promise<string> {
  const { number, text, file, folder } = made;
  const book = project.rulebook(rulebook);
  const link = made.link || newLink();
  const share = doc(project.db, SHARES, link);
  return runTransaction(project.db, async (transaction) => {
    const stored = await transaction.get(book);
    const found = await transaction.get(share);
    const before = found.exists() ? readDocument(publishedSchema, share.path, found.data()) : undefined;
    const known = stored.exists() && readDocument(rulebookSchema, book.path, stored.data());
    if (!known || known.deletedAt > 0) throw new Error('The rulebook has been deleted.');
    if (known.link !== made.link || (before?.number ?? 0) !== number - 1) {
      throw new Error(
        'Somebody else has published it at the same time. Look at what is published, and try again.',
      );
    }
    transaction.set(share, {
      kind: 'rulebook',
      projectId: project.id,
      of: rulebook,
      title: text.book.title,
      number,
      name: text.name,
      by: sessionUser()?.uid ?? '',
      at: serverTimestamp(),
      file,
      folder,
      before: before
        ? {
            number: before.number,
            name: before.name,
            at: before.at,
            file: before.file,
            folder: isExportFolder(before.folder, project.id) ? before.folder : '',
          }
        : null,
    });
    if (known.link !== link) transaction.update(book, { link });
    return link;
  });
}

/** Closes the link of a rulebook: it leads nowhere from then on. */
export async function unpublish(project: Project, rulebook: string, link: string): Promise<void> {
  const published = await readShare(link).catch(() => undefined);
  const batch = writeBatch(project.db);
  // A rulebook names its link, and any editor writes that: the link of another project stays.
  if (!published || published.projectId === project.id) batch.delete(doc(project.db, SHARES, link));
  batch.update(project.rulebook(rulebook), { link: '' });
  await batch.commit();
  // Without the link nobody finds the files; should this fail, they go with the project.
  await removeEdition(project, published);
  await removeEdition(project, published?.before);
}

/**
 * Removes the files of an edition that no link leads to any longer. The document of a link names their folder, and any
 * editor writes it: with the rights of whoever closes the link no other folder is touched.
 */
async function removeEdition(
  project: Project,
  edition: { readonly folder: string } | null | undefined,
): Promise<void> {
  if (!edition || !isExportFolder(edition.folder, project.id)) return;
  await removePublicFolder(edition.folder).catch(() => undefined);
}
