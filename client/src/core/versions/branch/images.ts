import type { Json, JsonObject } from '../../archive/bundle.ts';
import { nameOf } from '../../images/path.ts';
import { own } from '../../records.ts';
import { sameDocument } from '../../scene/changes/same-document.ts';
import { type StoredChange, textAt } from '../stored-change.ts';
import type { BranchChange } from './change.ts';

/** Most former names of a picture. */
const MAX_FORMER = 20;

/** Fields that people write; the rest follows from its file. */
const LABELS = {
  path: 'Name',
  crop: 'Crop',
  focus: 'Focus',
  licence: 'Licence',
  credit: 'Credit',
  tags: 'Tags',
} as const;
type Said = keyof typeof LABELS;
const SAID = Object.keys(LABELS) as Said[];

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const same = (one: Json | undefined, other: Json | undefined): boolean =>
  (isEmpty(one) && isEmpty(other)) || sameDocument(one, other);

const changedFields = (before: JsonObject, after: JsonObject): Said[] =>
  SAID.filter((field) => !same(own(before, field), own(after, field)));

/** Copies lie in files of their own: only a hash tells whether they show the same. */
const shows = (before: JsonObject, after: JsonObject): boolean =>
  textAt(before, 'hash') === textAt(after, 'hash') &&
  ['bytes', 'w', 'h'].every((field) => same(own(before, field), own(after, field)));

const wordsOf = (fields: readonly Said[], content: boolean): string =>
  [...(content ? ['Picture'] : []), ...fields.map((field) => LABELS[field])].join(', ');

const words = (before: JsonObject, after: JsonObject): string =>
  wordsOf(changedFields(before, after), !shows(before, after));

/** Fields that a change of a picture rests on, where the project has them. */
export const imageFacts = (image: JsonObject): JsonObject =>
  Object.fromEntries(
    ['hash', 'url', ...SAID].flatMap((field) => {
      const value = own(image, field);
      return value === undefined || isEmpty(value) ? [] : [[field, value]];
    }),
  );

/** Names that mean a picture once it has another one, the newest first: cards go on naming it. */
function formerOf(image: JsonObject): Json {
  const former = own(image, 'former');
  return [textAt(image, 'path'), ...(Array.isArray(former) ? former : [])].slice(0, MAX_FORMER);
}

/** Changes of a branch on one picture. */
export function changedImage(
  id: string,
  { before: base, after: theirs }: StoredChange,
  mine: JsonObject | null,
): BranchChange[] {
  const name = nameOf(textAt(theirs ?? base, 'path')) || 'A picture';
  const common = {
    ...{ key: `image ${id}`, group: 'Pictures', name },
    pictures: { theirs: textAt(theirs, 'url'), mine: textAt(mine, 'url') },
  };
  if (!theirs) {
    if (!base || !mine) return [];
    const today = words(base, mine);
    return [
      {
        ...{ ...common, what: 'Deleted picture', base: '', theirs: undefined, mine: today },
        ...{ conflict: today !== '', act: { kind: 'removeImage', image: id, was: imageFacts(mine) } },
      },
    ];
  }
  if (!mine) {
    const changed = base ? words(base, theirs) : '';
    if (base && changed === '') return [];
    return [
      {
        ...{ ...common, what: base ? 'Changed here, gone from the project' : 'New picture' },
        ...{ base: base ? '' : undefined, theirs: changed, mine: undefined, conflict: base !== null },
        act: { kind: 'newImage', image: id },
      },
    ];
  }
  const began = base ?? mine;
  const fields = changedFields(began, theirs).filter((field) => !same(own(mine, field), own(theirs, field)));
  const content = !shows(began, theirs) && !shows(mine, theirs);
  if (fields.length === 0 && !content) return [];
  const today = base ? words(base, mine) : words(theirs, mine);
  const clashes =
    !base ||
    (content && !shows(began, mine)) ||
    fields.some((field) => !same(own(began, field), own(mine, field)));
  return [
    {
      ...{ ...common, what: wordsOf(fields, content), base: '', theirs: wordsOf(fields, content) },
      ...{ mine: today, conflict: clashes },
      act: {
        ...{ kind: 'image', image: id, was: imageFacts(mine) },
        fields: {
          ...Object.fromEntries(fields.map((field) => [field, own(theirs, field) ?? null])),
          ...(fields.includes('path') && { former: formerOf(mine) }),
        },
        url: content ? textAt(theirs, 'url') : undefined,
        hash: content ? textAt(theirs, 'hash') : undefined,
      },
    },
  ];
}
