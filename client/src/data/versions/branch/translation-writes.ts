import { type DocumentReference, deleteField, doc } from '@sdk/firestore';
import type { BranchAct, StoredText, TranslationAct } from '../../../core/versions/branch/change.ts';
import type { Project } from '../../project/open-project.ts';
import {
  checkRoom,
  entriesOf,
  formerPartOf,
  PART_IDS,
  partOf,
  type TranslationPart,
  translationPartSchema,
} from '../../translations/translation-parts.ts';
import {
  projectTranslations,
  rulebookTranslations,
  type TranslationPlace,
} from '../../translations/translation-place.ts';
import { begun } from '../../translations/translation-writes.ts';
import type { JointWrites, Read } from './joint-writes.ts';

/** Translations that a change is of. */
export const translationPlace = (
  project: Project,
  { rulebook }: Pick<TranslationAct, 'rulebook'>,
): TranslationPlace =>
  rulebook === undefined ? projectTranslations(project) : rulebookTranslations(project, rulebook);

const isOfTranslation = (act: BranchAct): act is TranslationAct =>
  act.kind === 'newLanguage' || act.kind === 'removeLanguage' || act.kind === 'unit';

const same = (one: StoredText | null | undefined, other: StoredText | null | undefined): boolean =>
  one?.source === other?.source && one?.text === other?.text;

/** Everything that changes translations: one set of writes for each language. */
export function translationWrites(project: Project, acts: readonly BranchAct[]): JointWrites[] {
  const languages = new Map<string, TranslationAct[]>();
  for (const act of acts.filter(isOfTranslation)) {
    const key = `${act.rulebook ?? ''} ${act.language}`;
    languages.set(key, [...(languages.get(key) ?? []), act]);
  }
  return [...languages.values()].flatMap((own) => {
    const [first] = own;
    return first ? [languageWrites(translationPlace(project, first), first.language, own)] : [];
  });
}

function languageWrites(
  place: TranslationPlace,
  language: string,
  acts: readonly TranslationAct[],
): JointWrites {
  const removed = acts.find((act) => act.kind === 'removeLanguage');
  const begins = acts.some(({ kind }) => kind === 'newLanguage');
  const units = acts.filter((act) => act.kind === 'unit');
  const parts = removed
    ? PART_IDS
    : [...new Set(units.flatMap(({ unit }) => [partOf(unit), formerPartOf(unit)]))];
  const ref = (part: string) => doc(place.parts(language), part);
  const stored = (read: (ref: DocumentReference) => Read) =>
    parts.map((part) => ({ ...partIn(read(ref(part))), id: part }));
  return {
    reads: [place.language(language), ...parts.map(ref)],
    fits: (read) => {
      if (!begins && read(place.language(language)) === undefined) return false;
      const entries = entriesOf(stored(read));
      if (!removed) return units.every(({ unit, was }) => same(entries.get(unit), was));
      const was = new Map(Object.entries(removed.was));
      return was.size === entries.size && [...was].every(([id, text]) => same(entries.get(id), text));
    },
    write: (transaction, read) => {
      if (removed) {
        for (const part of parts) if (read(ref(part))) transaction.delete(ref(part));
        transaction.delete(place.language(language));
        return;
      }
      if (begins) transaction.set(place.language(language), begun());
      const byPart = new Map(stored(read).map(({ id, units }) => [id, units]));
      for (const part of parts) {
        const there = byPart.get(part) ?? {};
        const own = new Map(
          units.flatMap(({ unit, value }) => {
            if (partOf(unit) === part && (value || Object.hasOwn(there, unit)))
              return [[unit, value] as const];
            // An older version left it in another part.
            return formerPartOf(unit) === part && Object.hasOwn(there, unit) ? [[unit, null] as const] : [];
          }),
        );
        if (own.size === 0) continue;
        checkRoom(there, own, place.whole);
        const fields = [...own].map(([unit, value]) => [unit, value ?? deleteField()]);
        transaction.set(ref(part), { units: Object.fromEntries(fields) }, { merge: true });
      }
    },
  };
}

const partIn = (fields: Read): TranslationPart =>
  fields ? translationPartSchema.parse(fields) : { units: {} };
