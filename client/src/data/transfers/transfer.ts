import { httpsCallable } from '@sdk/functions';
import { type AssetReply, type AssetUse, MAX_IDS, type NamedPlace } from '../asset-copies.ts';
import { imagesOf } from '../images/library-location.ts';
import { readImagesAt } from '../images/project-images.ts';
import { findUses } from '../images/uses.ts';
import { getCallables } from '../server/database.ts';

/** Images or layouts of one place. */
export interface Things {
  readonly kind: 'images' | 'layouts';
  readonly from: NamedPlace;
  readonly ids: readonly string[];
}

/** Uses that keep things where they are, by the things' ids. */
export type Kept = ReadonlyMap<string, readonly AssetUse[]>;

/** Things that were copied or moved. */
export interface Transferred {
  readonly kind: Things['kind'];
  readonly from: NamedPlace;
  readonly to: NamedPlace;
  readonly moved: boolean;
  /** Ids there by the ids here. */
  readonly ids: ReadonlyMap<string, string>;
  /** Ids of what was not there before, with the images that layouts took along. */
  readonly made: { readonly images: readonly string[]; readonly layouts: readonly string[] };
  /** Those that did not move. */
  readonly kept: Kept;
  /** Microseconds since the epoch; 0 if nothing was written. */
  readonly at: number;
  /** Reason for which the rest of many things did not follow. What was done by then stays. */
  readonly failure?: unknown;
}

/** Most things of one call: layouts bring their kept versions. */
const AT_ONCE = { images: MAX_IDS, layouts: 50 } as const;

const ask = async (request: object): Promise<AssetReply> =>
  (await httpsCallable<object, AssetReply>(getCallables(), 'copyAssets')(request)).data;

const parts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/**
 * Copies or moves things to another place, on the server. What something shows does not move. Each call takes effect as a
 * whole or not at all; there are several only for very many things.
 * @throws FirebaseError when a limit of the plan is reached, or the user may not
 */
export async function transfer(things: Things, to: NamedPlace, move: boolean): Promise<Transferred> {
  const { kind, from } = things;
  const kept = new Map(move ? await usesOf(things) : []);
  const going = things.ids.filter((id) => !kept.has(id));
  const ids = new Map<string, string>();
  const made = { images: [] as string[], layouts: [] as string[] };
  let at = 0;
  let failure: unknown;
  for (const some of parts(going, AT_ONCE[kind])) {
    try {
      const reply = await ask({ kind, from, to, ids: some, ...(move && { move }) });
      for (const [id, copy] of Object.entries(reply.ids)) ids.set(id, copy);
      for (const [id, uses] of Object.entries(reply.kept ?? {})) kept.set(id, uses);
      made.images.push(...(reply.made?.['images'] ?? []));
      made.layouts.push(...(reply.made?.['layouts'] ?? []));
      at = Math.max(at, reply.at ?? 0);
    } catch (error) {
      if (ids.size === 0) throw error;
      failure = error;
      break;
    }
  }
  return { kind, from, to, moved: move, ids, made, kept, at, ...(failure !== undefined && { failure }) };
}

/**
 * Looks for uses that keep things where they are. The server says what is written; cards with formulas are worked out here.
 * @throws FirebaseError when the user may not see the place
 */
export async function usesOf({ kind, from, ids }: Things): Promise<Kept> {
  const kept = new Map<string, readonly AssetUse[]>();
  for (const some of parts(ids, AT_ONCE[kind])) {
    const reply = await ask({ kind, from, to: elsewhere(from), ids: some, check: true });
    for (const [id, uses] of Object.entries(reply.kept ?? {})) kept.set(id, uses);
  }
  const unsure = new Set(ids.filter((id) => !kept.has(id)));
  if (kind === 'layouts' || unsure.size === 0) return kept;
  const place = from.project === undefined ? 'image' : imagesOf({ id: from.project });
  for (const { image, what, copy } of await findUses(place, await readImagesAt(place), unsure)) {
    if (!copy) kept.set(image, [...(kept.get(image) ?? []), { kind: 'place', name: what }]);
  }
  return kept;
}

/** Any other place: a question about leaving names none. */
const elsewhere = ({ project }: NamedPlace): NamedPlace =>
  project === undefined ? { project: 'elsewhere' } : {};

/**
 * Takes a copy or a move back. Anything that is used or was changed meanwhile stays there as well, and is answered.
 * @throws FirebaseError when the user may not any more
 */
export async function undoTransfer(done: Transferred): Promise<Kept> {
  const { kind, from, to, moved, made, at } = done;
  if (!moved) return removeUnused(to, made, at);
  const own = new Set(made[kind]);
  const there = [...done.ids.values()];
  const back = await transfer({ kind, from: to, ids: there.filter((id) => own.has(id)) }, from, true);
  if (back.failure !== undefined) throw back.failure;
  // Anything that was there before, or is used there by now, stays; it comes back as a copy.
  const staying = [...there.filter((id) => !own.has(id)), ...back.kept.keys()];
  await transfer({ kind, from: to, ids: staying }, from, false);
  const along = kind === 'layouts' ? await removeUnused(to, { images: made.images, layouts: [] }, at) : [];
  return new Map([...back.kept, ...along]);
}

/** Deletes things that nothing shows, and that nobody has changed since. Answers the others. */
async function removeUnused(
  place: NamedPlace,
  { images, layouts }: Transferred['made'],
  since: number,
): Promise<Kept> {
  const kept = new Map<string, readonly AssetUse[]>();
  const remove = httpsCallable<object, AssetReply>(getCallables(), 'removeUnused');
  // Layouts first: an image that they alone show goes with them.
  for (const [key, ids] of [
    ['layouts', layouts],
    ['images', images],
  ] as const) {
    for (const some of parts(ids, MAX_IDS)) {
      const { data } = await remove({ ...place, [key]: some, since });
      for (const [id, uses] of Object.entries(data.kept ?? {})) kept.set(id, uses);
    }
  }
  return kept;
}
