import type { Rulebook } from '../../core/book/document/schema.ts';
import { toRulebook } from '../../core/book/prose/convert.ts';
import { translated } from '../../core/book/translation/translation.ts';
import { isSameLanguage } from '../../core/translation/languages.ts';
import {
  type LayoutDocument,
  type RulebookDocument,
  rulebookSchema,
  type WithId,
} from '../../data/documents/documents.ts';
import { projectPath } from '../../data/project/addresses.ts';
import type { BookPart } from '../../data/rulebooks/card-names.ts';
import { projectFacts } from '../../data/rulebooks/project-facts.ts';
import { readStoredText, type TextDocuments } from '../../data/rulebooks/stored-text.ts';
import {
  entriesOf,
  languageDocumentSchema,
  translationPartSchema,
} from '../../data/translations/translation-parts.ts';
import type { ProjectFacts } from '../../workers/rulebook/rulebook-protocol.ts';
import { type RemoteStore, StoreError } from './store.ts';

/** A rulebook as loaded for export, with all that it shows of its project. */
export interface LoadedRulebook {
  readonly doc: Rulebook;
  readonly style: string;
  readonly format: string;
  readonly facts: ProjectFacts;
  /** Rulebooks and changes that are left out, each with its path and its error. */
  readonly unreadable: readonly string[];
}

/** All that a rulebook may show of its project. */
export interface ProjectContents {
  readonly parts: readonly BookPart[];
  readonly layouts: readonly WithId<LayoutDocument>[];
}

/**
 * @param contents of the project, all of them
 * @param wanted its title or id; the only one of the project when left out
 * @param inLanguage a language that it is translated into; its own when left out
 * @throws StoreError naming the rulebooks, or the languages, there are
 */
export async function loadRulebook(
  store: RemoteStore,
  project: string,
  { parts, layouts }: ProjectContents,
  wanted: string | undefined,
  inLanguage: string | undefined,
): Promise<LoadedRulebook> {
  const listed = await store.list(projectPath(project, 'rulebooks'), rulebookSchema);
  const { id, title, subtitle, language, style, format } = chosen(
    listed.found.filter(({ deletedAt }) => deletedAt === 0),
    wanted,
  );
  const { doc, skipped } = await readStoredText(textDocuments(store, project, id));
  const source = toRulebook(doc, { title: title || 'Rules', subtitle, language });
  const text = await translatedBook(store, project, id, source, inLanguage);
  const unreadable = [
    ...skipped.map(({ number, message }) => `change ${number} of the rulebook: ${message}`),
    ...listed.unreadable,
  ];
  return { doc: text, style, format, facts: projectFacts(text, parts, layouts), unreadable };
}

/** A rulebook in a language. @throws StoreError naming its languages when it is translated into others alone */
async function translatedBook(
  store: RemoteStore,
  project: string,
  rulebook: string,
  source: Rulebook,
  wanted: string | undefined,
): Promise<Rulebook> {
  if (wanted === undefined || isSameLanguage(wanted.trim(), source.language)) return source;
  const languages = projectPath(project, 'rulebooks', rulebook, 'languages');
  const { found } = await store.list(languages, languageDocumentSchema);
  const tag = found.map(({ id }) => id).find((id) => isSameLanguage(id, wanted.trim()));
  if (tag === undefined) {
    const known = [source.language, ...found.map(({ id }) => id).sort()].join(', ');
    throw new StoreError(`“${source.title}” is not translated into “${wanted}”. There is: ${known}.`);
  }
  const parts = await store.list([...languages, tag, 'parts'], translationPartSchema);
  return translated(source, tag, entriesOf(parts.found));
}

function chosen(
  all: readonly WithId<RulebookDocument>[],
  wanted: string | undefined,
): WithId<RulebookDocument> {
  const fits = all.filter(({ id, title }) => wanted === undefined || id === wanted || title === wanted);
  const [only] = fits;
  if (only && fits.length === 1) return only;
  const exact = fits.find(({ id }) => id === wanted);
  if (exact) return exact;
  if (all.length === 0) throw new StoreError('The project has no rulebook.');
  const names = (fits.length > 0 ? fits : all).map(({ id, title }) => `“${title}” (${id})`).join(', ');
  throw new StoreError(
    fits.length > 0
      ? `Say which rulebook, by its title or id: there are ${names}.`
      : `There is no rulebook “${wanted}”. There is: ${names}.`,
  );
}

function textDocuments(store: RemoteStore, project: string, rulebook: string): TextDocuments {
  const parent = projectPath(project, 'rulebooks', rulebook);
  return {
    version: async (before) =>
      (await store.byName(parent, 'versions', { after: before, newestFirst: true, most: 1 }))[0],
    steps: (after, most) => store.byName(parent, 'steps', { after, newestFirst: false, most }),
  };
}
