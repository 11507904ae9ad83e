import { ImageLibrary } from '../../core/images/library.ts';
import { type PackedBox, packBox } from '../../core/play/box/pack.ts';
import type { Entries } from '../../core/translation/translation.ts';
import {
  type Component,
  cardSchema,
  componentSchema,
  layoutDocumentSchema,
  readDocument,
  type WithId,
} from '../../data/documents/documents.ts';
import { imageSchema } from '../../data/images/schema.ts';
import { imagesSeen } from '../../data/images/seen.ts';
import { type FitGroups, partsOf, type StoredLanguages } from '../../data/play/parts.ts';
import { projectPath } from '../../data/project/addresses.ts';
import { computedCards } from '../../data/table/formula/formula.ts';
import { sourceLanguage } from '../../data/translations/card-language.ts';
import { entriesOf, translationPartSchema } from '../../data/translations/translation-parts.ts';

/** The collection under which the server sends what it tells of the project itself. */
const DETAILS = 'details';

/** Fields of a document; `null` if it was deleted. */
type Fields = Readonly<Record<string, unknown>> | null;

/** A line that the server sends: documents that changed since the last one. */
export interface PackRequest {
  readonly no: number;
  /** True to forget all documents first. */
  readonly forget?: boolean;
  readonly project: string;
  /** Components that the table has. */
  readonly components: readonly string[];
  /** By the path below the project. */
  readonly documents: Readonly<Record<string, Fields>>;
}

/** Documents of projects, as the server sent them. */
export class ProjectDocuments {
  readonly #projects = new Map<string, Map<string, NonNullable<Fields>>>();

  /** Takes what changed. */
  take({ forget, project, documents }: PackRequest): void {
    if (forget) this.#projects.clear();
    let known = this.#projects.get(project);
    if (!known) {
      known = new Map();
      this.#projects.set(project, known);
    }
    for (const [path, fields] of Object.entries(documents)) {
      if (fields === null) known.delete(path);
      else known.set(path, fields);
    }
  }

  /** Documents of a collection of a project, with their ids. */
  of(project: string, collection: string): { readonly id: string; readonly fields: NonNullable<Fields> }[] {
    const prefix = `${collection}/`;
    return [...(this.#projects.get(project) ?? [])].flatMap(([path, fields]) => {
      const id = path.startsWith(prefix) ? path.slice(prefix.length) : '';
      return id === '' || id.includes('/') ? [] : [{ id, fields }];
    });
  }
}

/**
 * Packs the components of a project.
 * @throws PackError when nothing of it can lie on a table; UnreadableDocument naming a card or layout of another shape
 */
export async function packDocuments(
  documents: ProjectDocuments,
  { project, components: wanted }: Pick<PackRequest, 'project' | 'components'>,
  fitGroups: (library: ImageLibrary) => FitGroups,
): Promise<PackedBox> {
  const path = projectPath(project).join('/');
  const components: WithId<Component>[] = documents
    .of(project, 'components')
    .filter(({ id }) => wanted.includes(id))
    .map(({ id, fields }) => ({ ...readDocument(componentSchema, `${path}/components/${id}`, fields), id }))
    .sort((a, b) => a.order - b.order);
  const layouts = documents.of(project, 'layouts').map(({ id, fields }) => ({
    ...readDocument(layoutDocumentSchema, `${path}/layouts/${id}`, fields),
    id,
  }));
  // Cards show names instead of images that cannot be read.
  const images = documents.of(project, 'images').flatMap(({ id, fields }) => {
    const read = imageSchema.safeParse(fields);
    return read.success ? [{ ...read.data, id, shelf: 'image' as const }] : [];
  });
  const library = new ImageLibrary(imagesSeen(images, []));
  const cardsOf = async (component: WithId<Component>) => {
    const cards = documents
      .of(project, `components/${component.id}/cards`)
      .map(({ id, fields }) => ({
        ...readDocument(cardSchema, `${path}/components/${component.id}/cards/${id}`, fields),
        id,
      }))
      .sort((a, b) => a.order - b.order);
    return computedCards(cards, component);
  };
  const translations = languagesOf(documents, project);
  const { parts, picturesOf, source } = await partsOf(
    { components, cardsOf, layouts, library, translations },
    fitGroups(library),
  );
  return packBox(parts, picturesOf, source);
}

/** The languages of a project's cards. What of a translation cannot be read shows the source. */
function languagesOf(documents: ProjectDocuments, project: string): StoredLanguages {
  const [details] = documents.of(project, DETAILS);
  const language = details?.fields['language'];
  const entries = documents.of(project, 'languages').map(({ id }): [string, Entries] => {
    const parts = documents.of(project, `languages/${id}/parts`).flatMap(({ id: part, fields }) => {
      const read = translationPartSchema.safeParse(fields);
      return read.success ? [{ ...read.data, id: part }] : [];
    });
    return [id, entriesOf(parts)];
  });
  return {
    source: sourceLanguage({ language: typeof language === 'string' ? language : '' }),
    entries: new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** A line as the server wrote it: times are numbers of milliseconds. */
export const readRequest = (line: string): PackRequest =>
  JSON.parse(line, (_, value: unknown) => {
    const micros =
      typeof value === 'object' && value !== null && Object.keys(value).length === 1
        ? (value as { timestampMicros?: unknown }).timestampMicros
        : undefined;
    return typeof micros === 'number' ? micros / 1_000 : value;
  });
