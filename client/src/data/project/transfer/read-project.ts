import { getDoc, getDocs, orderBy, type QueryDocumentSnapshot, query } from '@sdk/firestore';
import {
  type CardEntry,
  type ComponentEntry,
  commentEntrySchema,
  type JsonObject,
  type LayoutEntry,
  layoutsOf,
  type ProjectBundle,
  presetEntrySchema,
  projectFactsSchema,
  type RulebookEntry,
  renamedUnits,
  renameLayouts,
  runEntrySchema,
} from '../../../core/archive/bundle.ts';
import { stableJson } from '../../../core/archive/stable-json.ts';
import { layoutSchema } from '../../../core/scene/layout.ts';
import { readCardDocuments } from '../../cards/cards.ts';
import {
  cardSchema,
  componentSchema,
  followsSchema,
  readDocument,
  rulebookSchema,
} from '../../documents/documents.ts';
import { projectTranslations, rulebookTranslations } from '../../translations/translation-place.ts';
import type { Project } from '../open-project.ts';
import { toJson } from './json.ts';

/** Progress of reading or writing a project. */
export interface ProjectProgress {
  readonly done: number;
  readonly total: number;
  readonly what: string;
}

export interface ProjectWork {
  readonly onProgress?: ((progress: ProjectProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fields of documents that a bundle has in a place of their own, or works out. */
const CARD_FIELDS = new Set(['order', 'copies', 'cells', 'status']);
const COMPONENT_FIELDS = new Set(['order', 'cardCount']);

const without = (fields: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

/** Reads a whole project, its layouts among it. */
export async function readProject(
  project: Project,
  { onProgress, signal }: ProjectWork = {},
): Promise<ProjectBundle> {
  const [document, components, notes, comments, presets, runs, rulebooks] = await Promise.all([
    getDoc(project.details),
    getDocs(query(project.components, orderBy('order'))),
    getDoc(project.notes),
    getDocs(project.comments),
    getDocs(project.printPresets),
    getDocs(query(project.printRuns, orderBy('number'))),
    getDocs(query(project.rulebooks, orderBy('order'))),
  ]);
  signal?.throwIfAborted();
  if (!document.exists()) throw new Error('This project is no longer there.');
  const entries: ComponentEntry[] = [];
  for (const [i, component] of components.docs.entries()) {
    const { name } = readDocument(componentSchema, component.ref.path, component.data());
    onProgress?.({ done: i, total: components.docs.length + 1, what: `Reading ${name}` });
    entries.push({
      id: component.id,
      fields: without(toJson(component.data()), COMPONENT_FIELDS),
      cards: await readCards(project, component.id),
    });
    signal?.throwIfAborted();
  }
  onProgress?.({ done: components.docs.length, total: components.docs.length + 1, what: 'Reading layouts' });
  const layouts = await readLayouts(project, entries);
  signal?.throwIfAborted();
  const known = new Set(layouts.map(({ key }) => key));
  const remarks = comments.docs
    // Those on rulebooks name blocks by ids of this project's own.
    .filter((comment) => !comment.data().rulebook)
    .map((comment) => commentEntrySchema.parse(toJson(comment.data())))
    .sort(
      (a, b) => a.createdAt - b.createdAt || a.card.localeCompare(b.card) || a.text.localeCompare(b.text),
    );
  return {
    project: projectFactsSchema.parse(toJson(document.data())),
    notes: notes.exists() ? String(notes.data().text ?? '') : '',
    components: entries.map((entry) => ({
      ...entry,
      // A layout that was deleted is no layout.
      fields: renameLayouts(entry.fields, (key) => (known.has(key) ? key : null)),
    })),
    layouts,
    comments: remarks,
    // Those of one name have no order of their own that a way through a file would keep.
    presets: presets.docs
      .map((preset) => ({ id: preset.id, ...presetEntrySchema.parse(toJson(preset.data())) }))
      .map((preset) => ({ preset, place: `${preset.name}\n${stableJson(preset.settings as JsonObject)}` }))
      .sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
      .map(({ preset }) => preset),
    runs: runs.docs.map((run) => runEntrySchema.parse(toJson(run.data()))),
    rulebooks: await readRulebooks(project, rulebooks.docs),
    ...(await readLanguages(project, known)),
    images: [],
  };
}

/** Translations of the cards; those of layouts that are not read are left out. */
async function readLanguages(
  project: Project,
  layouts: ReadonlySet<string>,
): Promise<Pick<ProjectBundle, 'languages'>> {
  const { readTranslations } = await import('../../translations/translations.ts');
  const read = await readTranslations(projectTranslations(project));
  if (read.length === 0) return {};
  return {
    languages: read.map(({ language, entries }) => ({
      language,
      units: renamedUnits(Object.fromEntries(entries), (key) => (layouts.has(key) ? key : null)),
    })),
  };
}

async function readRulebooks(
  project: Project,
  found: readonly QueryDocumentSnapshot[],
): Promise<RulebookEntry[]> {
  const kept = found
    .map((one) => ({ id: one.id, ...readDocument(rulebookSchema, one.ref.path, one.data()) }))
    .filter(({ deletedAt }) => deletedAt === 0);
  if (kept.length === 0) return [];
  // The editor's document model is loaded only for projects that have rulebooks.
  const { readText } = await import('../../rulebooks/read-text.ts');
  const { readTranslations } = await import('../../translations/translations.ts');
  const { blocksOfProse, noTermsOfProse } = await import('../../../core/book/prose/convert.ts');
  return Promise.all(
    kept.map(async ({ id, title, subtitle, language, format, style }) => {
      const { doc } = await readText(project, id);
      const noTerms = noTermsOfProse(doc);
      const translations = await readTranslations(rulebookTranslations(project, id));
      return {
        id,
        title,
        subtitle,
        language,
        format,
        style,
        ...(noTerms.length > 0 && { noTerms: [...noTerms] }),
        ...(translations.length > 0 && {
          translations: translations.map(({ language, entries }) => ({
            language,
            units: Object.fromEntries(entries),
          })),
        }),
        blocks: blocksOfProse(doc) as unknown as RulebookEntry['blocks'],
      };
    }),
  );
}

async function readCards(project: Project, component: string): Promise<CardEntry[]> {
  const docs = await readCardDocuments(project, component);
  return docs.map((doc) => {
    const { copies, cells, status } = readDocument(cardSchema, doc.ref.path, doc.data());
    const more = without(toJson(doc.data()), CARD_FIELDS);
    return { id: doc.id, copies, status, cells, ...(Object.keys(more).length > 0 && { more }) };
  });
}

/** All layouts, those that components use first, in the order in which they come up. */
async function readLayouts(project: Project, components: readonly ComponentEntry[]): Promise<LayoutEntry[]> {
  const places = new Map<string, number>();
  for (const key of components.flatMap(({ fields }) => layoutsOf(fields))) {
    if (!places.has(key)) places.set(key, places.size);
  }
  const place = ({ id }: { readonly id: string }) => places.get(id) ?? places.size;
  const { docs } = await getDocs(project.layouts);
  const ids = new Set(docs.map(({ id }) => id));
  return [...docs]
    .sort((a, b) => place(a) - place(b))
    .flatMap((layout) => {
      const data = toJson(layout.data());
      const { scene } = data;
      if (typeof scene !== 'object' || scene === null || Array.isArray(scene)) return [];
      // A damaged layout that nothing uses keeps nothing else from being copied.
      if (!places.has(layout.id) && !layoutSchema.safeParse(scene).success) return [];
      const tags = (Array.isArray(data.tags) ? data.tags : []).map(String);
      return [
        {
          key: layout.id,
          name: String(data.name ?? ''),
          ...(tags.length > 0 && { tags }),
          scene: scene as JsonObject,
          ...followsOf(data, ids),
        },
      ];
    });
}

/** The followed layout: one beside it that is there, or one elsewhere. */
function followsOf({ follows }: JsonObject, beside: ReadonlySet<string>): Pick<LayoutEntry, 'follows'> {
  const read = followsSchema.safeParse(follows);
  if (!read.success) return {};
  const { layout, project, library } = read.data;
  if (project === undefined && library === undefined && !beside.has(layout)) return {};
  return { follows: follows as JsonObject };
}
