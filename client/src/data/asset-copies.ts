import { httpsCallable } from '@sdk/functions';
import { getCallables } from './server/database.ts';

/** A place as the server names it: a project, else the library of an account, else the user's own. */
export interface NamedPlace {
  readonly project?: string;
  /** Account id. */
  readonly owner?: string;
}

/** A layout whose images or fonts are copied. Whoever may read it, by its link too, may copy them. */
export interface LayoutSource extends NamedPlace {
  readonly layout: string;
}

/** Most things of one call. */
export const MAX_IDS = 200;

/** Answer of `copyAssets`. */
export interface AssetReply {
  readonly ids: Readonly<Record<string, string>>;
  readonly urls?: Readonly<Record<string, string>>;
  readonly made?: Readonly<Record<string, readonly string[]>>;
  readonly kept?: Readonly<Record<string, readonly AssetUse[]>>;
  /** Microseconds since the epoch. */
  readonly at?: number;
}

/** Something that keeps a thing where it is. */
export interface AssetUse {
  readonly kind: 'component' | 'layout' | 'card' | 'translation' | 'rulebook' | 'link' | 'change' | 'place';
  /** Its name; of a place, with its kind. Empty if it has none. */
  readonly name: string;
}

/** Copies by what they are of; what is not there any more is left out. */
export interface Copies {
  /** Ids. */
  readonly ids: ReadonlyMap<string, string>;
  /** Addresses, of fonts alone. */
  readonly urls: ReadonlyMap<string, string>;
}

/**
 * Copies things with their files, on the server. What was copied before is not copied again.
 * @param renew copies that were made before get the content that their originals have now
 * @throws FirebaseError when a limit of the plan is reached, or the user may not; what was copied by then stays
 */
export async function copyAssets(
  kind: 'images' | 'fonts',
  from: NamedPlace | LayoutSource,
  to: NamedPlace,
  ids: readonly string[],
  renew = false,
): Promise<Copies> {
  const call = httpsCallable<object, AssetReply>(getCallables(), 'copyAssets');
  const copies = { ids: new Map<string, string>(), urls: new Map<string, string>() };
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const some = ids.slice(at, at + MAX_IDS);
    const { data } = await call({ kind, from, to, ids: some, ...(renew && { renew }) });
    for (const [id, copy] of Object.entries(data.ids)) copies.ids.set(id, copy);
    for (const [id, url] of Object.entries(data.urls ?? {})) copies.urls.set(id, url);
  }
  return copies;
}
