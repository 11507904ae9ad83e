import type { CollectionReference, DocumentReference, Firestore } from '@sdk/firestore';
import type { Whole } from '../../core/translation/languages.ts';
import type { Project } from '../project/open-project.ts';

/** Translations of a rulebook, or of a project's cards. */
export interface TranslationPlace {
  readonly whole: Whole;
  /** Id of what is translated. */
  readonly id: string;
  readonly db: Firestore;
  /** Languages that it is translated into, and the parts of a translation. */
  readonly languages: CollectionReference;
  language(tag: string): DocumentReference;
  parts(tag: string): CollectionReference;
}

export const rulebookTranslations = (project: Project, rulebook: string): TranslationPlace => ({
  whole: 'rulebook',
  id: rulebook,
  db: project.db,
  languages: project.rulebookLanguages(rulebook),
  language: (tag) => project.rulebookLanguage(rulebook, tag),
  parts: (tag) => project.translationParts(rulebook, tag),
});

export const projectTranslations = (project: Project): TranslationPlace => ({
  whole: 'project',
  id: project.id,
  db: project.db,
  languages: project.languages,
  language: (tag) => project.language(tag),
  parts: (tag) => project.languageParts(tag),
});
