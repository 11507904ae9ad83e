import { doc, getDoc } from '@sdk/firestore';
import { type Edition, type Picture, parseEdition } from '../../core/book/edition/edition.ts';
import { readBody } from '../../core/read-body.ts';
import { readDocument } from '../documents/documents.ts';
import { getDb } from '../server/database.ts';
import { type Published, publishedSchema, SHARES } from './shares.ts';

/** Largest snapshot that is read, in bytes: no larger one can be stored. */
const MAX_EDITION_BYTES = 20 * 1024 * 1024;

/** The document of a link; `undefined` where nothing is published. */
export async function readShare(link: string): Promise<Published | undefined> {
  // Anything else is no id of a document, and nothing is the link of what is not published.
  if (!/^[A-Za-z0-9]+$/.test(link)) return undefined;
  const ref = doc(getDb(), SHARES, link);
  const found = await getDoc(ref);
  return found.exists() ? readDocument(publishedSchema, ref.path, found.data()) : undefined;
}

/**
 * An address of this server, whatever origin was stored with it: readers are never sent elsewhere, and a server may move
 * to another name.
 */
export function ownAddress(address: string, origin: string): string {
  try {
    const { pathname, search } = new URL(address, origin);
    // With the origin before it, a path that begins with two slashes is no other host.
    return `${origin}${pathname.startsWith('/') ? '' : '/'}${pathname}${search}`;
  } catch {
    return `${origin}/`;
  }
}

const withOwnAddress = (picture: Picture): Picture => ({
  ...picture,
  address: ownAddress(picture.address, location.origin),
});

/** The snapshot of an edition, its pictures at addresses of this server. @throws RulebookError when it cannot be read */
export async function readEdition({ file }: Pick<Published, 'file'>, signal?: AbortSignal): Promise<Edition> {
  const reply = await fetch(ownAddress(file, location.origin), { signal: signal ?? null });
  if (!reply.ok) throw new Error(`The rulebook could not be read: the server answered ${reply.status}.`);
  const bytes = await readBody(reply, MAX_EDITION_BYTES);
  const edition = parseEdition(JSON.parse(new TextDecoder().decode(bytes)));
  return {
    ...edition,
    cards: edition.cards.map(withOwnAddress),
    icons: edition.icons.map(withOwnAddress),
    figures: edition.figures.map(withOwnAddress),
    ...(edition.setUp && { setUp: { ...edition.setUp, picture: withOwnAddress(edition.setUp.picture) } }),
  };
}
