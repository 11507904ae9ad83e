import { type Json, type JsonObject, projectFactsSchema } from '../../archive/bundle.ts';
import { own } from '../../records.ts';
import { sameDocument } from '../../scene/changes/same-document.ts';
import { SETTINGS } from '../difference.ts';
import { valueWords } from '../field-changes.ts';
import { recordAt, type StoredChange, textAt } from '../stored-change.ts';
import type { BranchChange } from './change.ts';

const { name: _, ...LABELS } = SETTINGS;
const FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** Facts that a project says of itself, as they are shown: a field that is not stored has its usual value. */
const facts = (fields: JsonObject | null): JsonObject => {
  const { language, ...read } = projectFactsSchema.parse({
    ...fields,
    name: 'Project',
    description: textAt(fields, 'description'),
    tags: Array.isArray(fields?.['tags']) ? fields['tags'].map(String) : [],
  });
  return { ...read, language: language ?? '' };
};

/** A field of a project as it is shown, for comparing with what is stored. */
export const settingOf = (fields: JsonObject, field: string): Json => own(facts(fields), field) ?? null;

/** Changes of a branch on what the project says of itself. Its name is its own: a branch has another one from the start. */
export function changedSettings({ before, after }: StoredChange, mine: JsonObject | null): BranchChange[] {
  const [base, theirs, today] = [facts(before), facts(after), facts(mine)];
  return FIELDS.flatMap((field): BranchChange[] => {
    const [then, value, was] = [base, theirs, today].map((one) => own(one, field) ?? null);
    if (then === undefined || value === undefined || was === undefined) return [];
    if (sameDocument(then, value) || sameDocument(value, was)) return [];
    return [
      {
        ...{ key: `setting ${field}`, group: 'Project', name: 'Project', what: LABELS[field] },
        ...{ base: valueWords(then), theirs: valueWords(value), mine: valueWords(was) },
        ...{ conflict: !sameDocument(then, was), act: { kind: 'setting', field, value, was } },
      },
    ];
  });
}

/** Content of print settings. */
export const presetContent = (fields: JsonObject): JsonObject => ({
  name: textAt(fields, 'name'),
  settings: recordAt(fields, 'settings'),
});

const isSame = (one: JsonObject | null, other: JsonObject | null): boolean =>
  one && other ? sameDocument(presetContent(one), presetContent(other)) : one === other;

/** Settings that differ, by their names. */
function settingNames(before: JsonObject | null, after: JsonObject): string {
  if (!before) return '';
  const [was, is] = [recordAt(before, 'settings'), recordAt(after, 'settings')];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.filter((name) => !sameDocument(own(was, name), own(is, name)));
  const renamed = textAt(before, 'name') === textAt(after, 'name') ? [] : ['name'];
  return [...renamed, ...changed.map(spaced)].join(', ');
}

/** The name of a field as words. */
const spaced = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, (__, a, b) => `${a} ${b.toLowerCase()}`);

/**
 * Changes of a branch on print settings.
 * @param replaced names of print settings that the branch has under new ids
 * @param left gets what cannot be brought back, in words
 */
export function changedPreset(
  id: string,
  { before: base, after: theirs }: StoredChange,
  mine: JsonObject | null,
  replaced: ReadonlySet<string>,
  left: string[],
): BranchChange[] {
  if (isSame(base, theirs) || isSame(theirs, mine)) return [];
  const name = textAt(mine ?? theirs ?? base, 'name') || 'Print settings';
  if (!theirs && replaced.has(textAt(base, 'name'))) {
    left.push(
      `The print settings ${name}: the branch has others of that name, which are not told from new ones.`,
    );
    return [];
  }
  const what = !theirs
    ? 'Deleted print settings'
    : mine
      ? 'Print settings'
      : base
        ? 'Changed here, gone from the project'
        : 'New print settings';
  return [
    {
      ...{ key: `preset ${id}`, group: 'Print settings', name, what, conflict: !isSame(base, mine) },
      ...{ base: base ? '' : undefined, theirs: theirs ? settingNames(base ?? mine, theirs) : undefined },
      mine: mine ? settingNames(base ?? theirs, mine) : undefined,
      act: {
        ...{ kind: 'preset', preset: id, was: mine && presetContent(mine) },
        value: theirs && presetContent(theirs),
      },
    },
  ];
}
