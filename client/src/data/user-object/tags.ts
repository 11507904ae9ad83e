import type { UserObject } from './schema.ts';

/** Most tags kept with an account; of more, the newest stay. */
export const MAX_KNOWN_TAGS = 200;

const fold = (tag: string) => tag.normalize('NFKC').toLowerCase();

/** Names in a stored list of tags: older versions and other clients may keep objects with a `name`. */
function namesIn(list: readonly unknown[]): string[] {
  const names = list.map((one) =>
    typeof one === 'object' && one !== null ? (one as { name?: unknown }).name : one,
  );
  return names.filter((name): name is string => typeof name === 'string' && name.trim() !== '');
}

/** Tags that the account has used, as first written. */
export const knownTags = ({ tags }: Pick<UserObject, 'tags'>): string[] => namesIn(tags);

/** Tags by which the list of layouts is narrowed. */
export const activeTags = (object: Pick<UserObject, 'activeTags'>): string[] => namesIn(object.activeTags);

/** Adds tags to those the account has used. Entries of an unknown form stay. */
export function withTags(
  { tags }: Pick<UserObject, 'tags'>,
  added: readonly string[],
): Pick<UserObject, 'tags'> {
  const known = new Set(namesIn(tags).map(fold));
  const fresh = added.filter((tag) => !known.has(fold(tag)));
  return { tags: [...tags, ...fresh].slice(-MAX_KNOWN_TAGS) };
}

/** Narrows the list by a tag, or no longer. */
export function toggledTag(
  object: Pick<UserObject, 'activeTags'>,
  tag: string,
): Pick<UserObject, 'activeTags'> {
  const active = activeTags(object);
  return { activeTags: active.includes(tag) ? active.filter((one) => one !== tag) : [...active, tag] };
}
