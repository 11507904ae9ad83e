import { isSameLanguage, languageName } from '../../core/translation/languages.ts';
import type { Entries } from '../../core/translation/translation.ts';
import type { LayoutDocument, ProjectDocument, WithId } from '../../data/documents/documents.ts';
import { projectPath } from '../../data/project/addresses.ts';
import type { ProjectPart } from '../../data/project/project-parts.ts';
import {
  allLanguages,
  type CardContents,
  cardLanguage,
  cardSets,
  partInLanguage,
  partNamesLanguage,
  partWithLanguages,
  sourceLanguage,
  sourcesOfParts,
} from '../../data/translations/card-language.ts';
import {
  entriesOf,
  languageDocumentSchema,
  translationPartSchema,
} from '../../data/translations/translation-parts.ts';
import { type RemoteStore, StoreError } from './store.ts';

/** Parts in a language, and where they print the source. */
export interface SpokenParts {
  readonly parts: readonly ProjectPart[];
  /** Tag of the language; nothing for the cards' own. */
  readonly language: string | undefined;
  readonly untranslated: readonly string[];
}

/** Parts of a project, and all that is translated of them. */
interface SpokenContent {
  readonly contents: readonly CardContents[];
  readonly layouts: readonly WithId<LayoutDocument>[];
  readonly parts: readonly ProjectPart[];
}

/** Parts whose cards know their other languages, where a layout names one. */
async function knowingLanguages(
  store: RemoteStore,
  project: string,
  source: string,
  { contents, layouts, parts }: SpokenContent,
): Promise<readonly ProjectPart[]> {
  if (!parts.some(partNamesLanguage)) return parts;
  const languages = projectPath(project, 'languages');
  const { found } = await store.list(languages, languageDocumentSchema);
  const entries = new Map<string, Entries>();
  for (const { id } of found) {
    const stored = await store.list([...languages, id, 'parts'], translationPartSchema);
    entries.set(id, entriesOf(stored.found));
  }
  const all = allLanguages(source, cardSets(contents, layouts), entries);
  return parts.map((one) => partWithLanguages(one, all));
}

/** @throws StoreError naming the languages there are when the cards are translated into others alone */
export async function cardsInLanguage(
  store: RemoteStore,
  project: WithId<ProjectDocument>,
  {
    language: wanted,
    ownWords = false,
  }: { readonly language?: string | undefined; readonly ownWords?: boolean | undefined },
  content: SpokenContent,
): Promise<SpokenParts> {
  const { contents, layouts } = content;
  const source = sourceLanguage(project);
  const parts = await knowingLanguages(store, project.id, source, content);
  if (wanted === undefined || isSameLanguage(wanted.trim(), source)) {
    return { parts, language: undefined, untranslated: [] };
  }
  const languages = projectPath(project.id, 'languages');
  const { found } = await store.list(languages, languageDocumentSchema);
  const tag = found.map(({ id }) => id).find((id) => isSameLanguage(id, wanted.trim()));
  if (tag === undefined && ownWords) return { parts, language: undefined, untranslated: [] };
  if (tag === undefined) {
    const known = [source, ...found.map(({ id }) => id).sort()].join(', ');
    throw new StoreError(
      `The cards of “${project.name}” are not translated into “${wanted}”. There is: ${known}.`,
    );
  }
  const stored = await store.list([...languages, tag, 'parts'], translationPartSchema);
  const language = cardLanguage(tag, cardSets(contents, layouts), entriesOf(stored.found));
  const { cards, layoutTexts } = sourcesOfParts(language, parts);
  const total = parts.reduce((sum, one) => sum + one.cards.length, 0);
  const name = languageName(tag);
  return {
    parts: parts.map((one) => partInLanguage(one, language)),
    language: tag,
    untranslated: [
      ...(cards.length > 0 ? [`${name}: ${cards.length} of ${total} cards show the source.`] : []),
      ...(layoutTexts > 0 ? [`${name}: ${layoutTexts} of the texts of layouts are not translated.`] : []),
    ],
  };
}
