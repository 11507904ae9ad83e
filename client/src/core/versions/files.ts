import type { JsonObject } from '../archive/bundle.ts';
import { nameOf } from '../images/path.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { type Presence, presenceOf, type StoredChange, textAt } from './stored-change.ts';

/** An image or a font that two states do not have alike. */
export interface FileDifference {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly change: Presence;
  /** It shows or holds something else, whatever is said of it. */
  readonly content: boolean;
  readonly fields: readonly FieldChange[];
  /** Addresses of the files; `''` where there is none. */
  readonly before: string;
  readonly after: string;
  /** Its documents. */
  readonly stored: { readonly before: JsonObject | null; readonly after: JsonObject | null };
}

const IMAGE_LABELS = {
  path: 'Name',
  crop: 'Crop',
  focus: 'Focus',
  licence: 'Licence',
  credit: 'Credit',
  tags: 'Tags',
} as const;
/** Fields that follow from the file, or that nobody sees. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  ...['file', 'url', 'hash', 'bytes', 'type', 'w', 'h', 'icon', 'former', 'from'],
]);

export function imageDifference(change: StoredChange, id: string): FileDifference {
  const { path, before, after } = change;
  const presence = presenceOf(change);
  const changed = (field: string) => textAt(before, field) !== textAt(after, field);
  return {
    path,
    id,
    name: nameOf(textAt(after ?? before, 'path')) || 'An image',
    change: presence,
    // Copies of equal content may lie in files of other names.
    content: presence !== 'changed' || (textAt(after, 'hash') === '' ? changed('url') : changed('hash')),
    fields: presence === 'changed' ? fieldChanges(before, after, IMAGE_LABELS, OF_THE_FILE) : [],
    before: textAt(before, 'url'),
    after: textAt(after, 'url'),
    stored: { before, after },
  };
}

export function fontDifference(change: StoredChange, id: string): FileDifference {
  const { path, before, after } = change;
  const presence = presenceOf(change);
  return {
    path,
    id,
    name: textAt(after ?? before, 'name') || textAt(after ?? before, 'family') || 'A font',
    change: presence,
    content: presence !== 'changed' || textAt(before, 'url') !== textAt(after, 'url'),
    fields:
      presence === 'changed'
        ? fieldChanges(before, after, { name: 'Name', family: 'Family' }, OF_THE_FILE)
        : [],
    before: textAt(before, 'url'),
    after: textAt(after, 'url'),
    stored: { before, after },
  };
}
