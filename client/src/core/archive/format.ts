import Papa from 'papaparse';
import * as z from 'zod';
import { parseRulebook, RULEBOOK_VERSION } from '../book/document/schema.ts';
import { isDeeperThan } from '../json-depth.ts';
import { bareRecord, cellAt, own } from '../records.ts';
import { MAX_LANGUAGES } from '../translation/languages.ts';
import {
  type CardEntry,
  type ComponentEntry,
  cardTranslationSchema,
  commentEntrySchema,
  type ImageEntry,
  type Json,
  type JsonObject,
  type LayoutEntry,
  type ProjectBundle,
  presetEntrySchema,
  projectFactsSchema,
  type RulebookEntry,
  renamedUnits,
  renameFollowed,
  renameLayouts,
  rulebookEntrySchema,
  runEntrySchema,
  type TranslationEntry,
  tagSchema,
} from './bundle.ts';
import { ArchiveError } from './error.ts';
import { FONT_FOLDER, type FontEntry } from './fonts.ts';
import { MAX_DEPTH } from './limits.ts';
import { stableJson } from './stable-json.ts';
import { byName, type Files, textOf } from './zip.ts';

/**
 * A project as files, readable and editable with any tool and fit for version control:
 *
 *     project.json                   its own fields, and the format's name and version
 *     notes.md
 *     components/01-assets/component.json
 *     components/01-assets/cards.csv a line a card: id, copies, status, then a column for each key
 *     layouts/asset-card.json
 *     comments.json, print-settings.json, print-history.json
 *     rulebooks/01-rules.json        a rulebook, its text as blocks, and its translations
 *     images/… and images.json       images by the names that cards use for them
 *     fonts/…                        font files, by the names that layouts use for them
 *
 * Folders and files are named after their components and layouts; components refer to layouts by file name.
 */
export const FORMAT = 'tuckbox-project';
export const VERSION = 1;

/** Most cards of one component, and most components. */
export const MAX_CARDS = 20_000;
export const MAX_COMPONENTS = 200;
/** Most rulebooks. */
export const MAX_RULEBOOKS = 100;

/** Longest status of a card, in characters; the rules say the same. */
const MAX_STATUS_LENGTH = 100;

const ID = '#id';
const COPIES = '#copies';
const STATUS = '#status';
const MORE = '#more';

const projectFileSchema = projectFactsSchema.extend({ format: z.literal(FORMAT), version: z.number().int() });
const objectSchema = z.record(z.string(), z.json());
const componentFileSchema = z.object({ id: z.string().min(1).max(200), fields: objectSchema });
const layoutFileSchema = z.object({
  name: z.string(),
  tags: z.array(z.string()).optional(),
  scene: objectSchema,
  follows: objectSchema.optional(),
});
/** A layout of the same archive by its file name, and its state that was taken over. */
const followedSchema = z.object({ layout: z.string(), scene: objectSchema });

/** A name that every file system accepts. */
export function slug(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return plain || fallback;
}

function freeSlug(name: string, fallback: string, taken: Set<string>): string {
  const wanted = slug(name, fallback);
  let free = wanted;
  for (let n = 2; taken.has(free); n++) free = `${wanted}-${n}`;
  taken.add(free);
  return free;
}

/** Keys of the columns in their order, then of cells whose column was deleted. */
function cellKeys({ fields, cards }: ComponentEntry): string[] {
  const columns = Array.isArray(fields.columns) ? fields.columns : [];
  const keys = columns.flatMap((column: Json) =>
    typeof column === 'object' && column !== null && 'key' in column && typeof column.key === 'string'
      ? [column.key]
      : [],
  );
  const known = new Set(keys);
  const orphans = new Set(cards.flatMap(({ cells }) => Object.keys(cells).filter((key) => !known.has(key))));
  return [...keys, ...[...orphans].sort(byName)];
}

function cardsCsv(component: ComponentEntry): string {
  const keys = cellKeys(component);
  const withMore = component.cards.some(({ more }) => more);
  const rows = component.cards.map(({ id, copies, status, cells, more }) => [
    id,
    String(copies),
    status ?? '',
    ...keys.map((key) => cellAt(cells, key)),
    ...(withMore ? [more ? JSON.stringify(JSON.parse(stableJson(more))) : ''] : []),
  ]);
  const header = [ID, COPIES, STATUS, ...keys, ...(withMore ? [MORE] : [])];
  return `${Papa.unparse([header, ...rows], { newline: '\n' })}\n`;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The followed layout if it is in the same archive: addresses of one server mean nothing on another. */
function inside(follows: JsonObject, rename: (key: string) => string | null): JsonObject | undefined {
  const { layout, scene } = follows;
  const read = followedSchema.safeParse({ layout, scene });
  const elsewhere = follows.project !== undefined || follows.library !== undefined;
  return elsewhere || !read.success ? undefined : renameFollowed(read.data as JsonObject, rename);
}

/** The files of a bundle. */
export function toFiles(bundle: ProjectBundle): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const put = (path: string, text: string) => files.set(path, utf8(text));
  const { language, ...about } = bundle.project;
  put(
    'project.json',
    stableJson({ format: FORMAT, version: VERSION, ...about, ...(language !== undefined && { language }) }),
  );
  if (bundle.notes) put('notes.md', bundle.notes);
  const taken = new Set<string>();
  // The order of use survives a round trip through the database; other orders do not.
  const layouts = inOrderOfUse(bundle.layouts, bundle.components);
  const names = new Map(layouts.map(({ key, name }) => [key, freeSlug(name, 'layout', taken)]));
  const beside = (key: string) => names.get(key) ?? null;
  for (const { key, name, tags, scene, follows } of layouts) {
    const followed = follows && inside(follows, beside);
    put(
      `layouts/${names.get(key)}.json`,
      stableJson({ name, scene, ...(tags?.length && { tags }), ...(followed && { follows: followed }) }),
    );
  }
  for (const [i, component] of bundle.components.entries()) {
    const { name } = component.fields;
    const folder = `components/${String(i + 1).padStart(2, '0')}-${slug(String(name ?? ''), 'component')}`;
    const fields = renameLayouts(component.fields, beside);
    put(`${folder}/component.json`, stableJson({ id: component.id, fields }));
    put(`${folder}/cards.csv`, cardsCsv(component));
  }
  if (bundle.comments.length > 0) put('comments.json', stableJson(bundle.comments as unknown as Json));
  const presets = bundle.presets.map(({ id: _, ...preset }) => preset);
  if (presets.length > 0) put('print-settings.json', stableJson(presets as unknown as Json));
  if (bundle.runs.length > 0) put('print-history.json', stableJson(bundle.runs as unknown as Json));
  for (const [i, { id: _, noTerms, translations, ...rulebook }] of bundle.rulebooks.entries()) {
    put(
      `rulebooks/${String(i + 1).padStart(2, '0')}-${slug(rulebook.title, 'rulebook')}.json`,
      stableJson({ ...rulebook, ...(noTerms && { noTerms }), ...(translations && { translations }) }),
    );
  }
  for (const { language: tag, units } of inAlphabet(bundle.languages ?? [])) {
    put(`languages/${tag}.json`, stableJson({ units: renamedUnits(units, beside) }));
  }
  const facts = bundle.images.filter(({ facts: known }) => Object.keys(known).length > 0);
  if (facts.length > 0) {
    put('images.json', stableJson(Object.fromEntries(facts.map(({ path, facts: known }) => [path, known]))));
  }
  for (const { path, bytes } of bundle.images) files.set(`images/${path}`, bytes);
  for (const { path, bytes } of bundle.fonts ?? []) files.set(FONT_FOLDER + path, bytes);
  return files;
}

function parseJson<T>(files: Files, path: string, schema: z.ZodType<T>): T {
  const bytes = files.get(path);
  if (!bytes) throw new ArchiveError(`The archive has no ${path}.`);
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch (error) {
    throw new ArchiveError(
      `${path} is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
  checkDepth(value, path);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new ArchiveError(
    `${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'unknown shape'}.`,
  );
}

function checkDepth(value: unknown, where: string): void {
  if (!isDeeperThan(value, MAX_DEPTH)) return;
  throw new ArchiveError(
    `${where} has more than ${MAX_DEPTH} lists or objects within one another: make it flatter, or export the project again.`,
  );
}

function parseCards(files: Files, path: string, fields: JsonObject): CardEntry[] {
  const bytes = files.get(path);
  if (!bytes) throw new ArchiveError(`The archive has no ${path}.`);
  const text = textOf(bytes);
  const { data, errors } = Papa.parse<string[]>(text, {
    header: false,
    delimiter: ',',
    // A line break within a cell belongs to the cell; only those between lines may have been changed by an editor.
    newline: /^[^"\n]*\r\n/.test(text) ? '\r\n' : '\n',
    skipEmptyLines: true,
  });
  const [fault] = errors;
  if (fault) throw new ArchiveError(`${path}, line ${(fault.row ?? 0) + 1}: ${fault.message}.`);
  const [header = [], ...rows] = data;
  const columns = new Set(
    (Array.isArray(fields.columns) ? fields.columns : []).flatMap((column: Json) =>
      typeof column === 'object' && column !== null && 'key' in column ? [String(column.key)] : [],
    ),
  );
  if (!header.includes(ID)) throw new ArchiveError(`${path} has no column ${ID}.`);
  const reserved = [...header, ...columns].find((key) => isReserved(key));
  if (reserved !== undefined)
    throw new ArchiveError(`${path}: ${JSON.stringify(reserved.slice(0, 60))} cannot be a column's key.`);
  if (new Set(header).size < header.length) throw new ArchiveError(`${path} has a column twice.`);
  if (rows.length > MAX_CARDS) throw new ArchiveError(`${path} has more than ${MAX_CARDS} cards.`);
  const ids = new Set<string>();
  return rows.map((row, i) => {
    const where = `${path}, card ${i + 1}`;
    if (row.length > header.length) throw new ArchiveError(`${where} has more cells than there are columns.`);
    const named = new Map(header.map((key, place) => [key, row[place] ?? '']));
    const id = named.get(ID) ?? '';
    if (!isDocumentId(id))
      throw new ArchiveError(`${where}: ${JSON.stringify(id.slice(0, 60))} cannot be an id.`);
    if (ids.has(id)) throw new ArchiveError(`${where}: the id ${id} is there twice.`);
    ids.add(id);
    const copies = Number(named.get(COPIES) || '1');
    if (!Number.isInteger(copies) || copies < 0 || copies > 999) {
      throw new ArchiveError(`${where}: copies must be a whole number from 0 to 999.`);
    }
    const more = named.get(MORE);
    const cells = bareRecord(
      header.flatMap((key) => {
        const text = named.get(key) ?? '';
        // A cell without a column counts only when it has text.
        return key.startsWith('#') || (text === '' && !columns.has(key)) ? [] : [[key, text] as const];
      }),
    );
    const status = named.get(STATUS);
    if (status && status.length > MAX_STATUS_LENGTH) {
      throw new ArchiveError(`${where}: its status has more than ${MAX_STATUS_LENGTH} characters.`);
    }
    return {
      id,
      copies,
      cells,
      ...(status && { status }),
      ...(more && { more: parseMore(more, where) }),
    };
  });
}

function parseMore(text: string, where: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    checkDepth(value, where);
    return objectSchema.parse(value) as JsonObject;
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${where}: ${MORE} is no JSON object.`);
  }
}

/** True for ids and field names that the database reserves, such as `__proto__`. */
const isReserved = (name: string): boolean => /^__.*__$/.test(name);

/** Ids become part of document paths. */
function isDocumentId(id: string): boolean {
  return id !== '' && id.length <= 200 && !id.includes('/') && id !== '.' && id !== '..' && !isReserved(id);
}

/**
 * The bundle in an archive's files; layouts are keyed by file name.
 * @throws ArchiveError naming the file and its first fault
 */
export function fromFiles(all: Files): ProjectBundle {
  const files = withoutFolder(all);
  const { format: _, version, ...project } = parseJson(files, 'project.json', projectFileSchema);
  if (version > VERSION) {
    throw new ArchiveError(
      `This archive was made by a newer version (format ${version}); this one reads ${VERSION}.`,
    );
  }
  const paths = [...files.keys()];
  const layouts = parseLayouts(files);
  const folders = [...new Set(paths.flatMap((path) => /^(components\/[^/]+)\//.exec(path)?.[1] ?? []))].sort(
    byName,
  );
  if (folders.length > MAX_COMPONENTS)
    throw new ArchiveError(`There are more than ${MAX_COMPONENTS} components.`);
  const ids = new Set<string>();
  const components = folders.map((folder): ComponentEntry => {
    const { id, fields } = parseJson(files, `${folder}/component.json`, componentFileSchema);
    if (!isDocumentId(id) || ids.has(id)) {
      throw new ArchiveError(
        `${folder}/component.json: the id ${JSON.stringify(id)} cannot be used, or is used twice.`,
      );
    }
    ids.add(id);
    return {
      id,
      fields: fields as JsonObject,
      cards: parseCards(files, `${folder}/cards.csv`, fields as JsonObject),
    };
  });
  const facts = files.has('images.json')
    ? parseJson(files, 'images.json', z.record(z.string(), objectSchema))
    : {};
  const images = paths.flatMap((path): ImageEntry[] => {
    const name = /^images\/(.+)$/.exec(path)?.[1];
    const bytes = files.get(path);
    if (name === undefined || !bytes) return [];
    return [{ path: name, bytes: new Uint8Array(bytes), facts: (own(facts, name) ?? {}) as JsonObject }];
  });
  const fonts = paths.flatMap((path): FontEntry[] => {
    const bytes = path.startsWith(FONT_FOLDER) ? files.get(path) : undefined;
    return bytes ? [{ path: path.slice(FONT_FOLDER.length), bytes: new Uint8Array(bytes) }] : [];
  });
  return {
    project,
    notes: files.has('notes.md') ? textOf(files.get('notes.md') ?? new Uint8Array()) : '',
    components,
    layouts: inOrderOfUse(layouts, components),
    comments: files.has('comments.json')
      ? parseJson(files, 'comments.json', z.array(commentEntrySchema))
      : [],
    presets: files.has('print-settings.json')
      ? (parseJson(files, 'print-settings.json', z.array(presetEntrySchema)) as ProjectBundle['presets'])
      : [],
    runs: files.has('print-history.json')
      ? parseJson(files, 'print-history.json', z.array(runEntrySchema))
      : [],
    rulebooks: parseRulebooks(files),
    ...parseLanguages(files, new Set(layouts.map(({ key }) => key))),
    images,
    ...(fonts.length > 0 && { fonts }),
  };
}

function parseLayouts(files: Files): LayoutEntry[] {
  const keys = [...files.keys()].flatMap((path) => /^layouts\/([^/]+)\.json$/.exec(path)?.[1] ?? []);
  const known = new Set(keys);
  return keys.map((key): LayoutEntry => {
    const { name, tags, scene, follows } = parseJson(files, `layouts/${key}.json`, layoutFileSchema);
    const followed = follows && inside(follows as JsonObject, (other) => (known.has(other) ? other : null));
    return {
      key,
      name,
      ...(tags?.length && { tags }),
      scene: scene as JsonObject,
      ...(followed && { follows: followed }),
    };
  });
}

function parseLanguages(files: Files, layouts: ReadonlySet<string>): Pick<ProjectBundle, 'languages'> {
  const paths = [...files.keys()].filter((path) => /^languages\/[^/]+\.json$/.test(path)).sort(byName);
  if (paths.length > MAX_LANGUAGES) throw new ArchiveError(`There are more than ${MAX_LANGUAGES} languages.`);
  if (paths.length === 0) return {};
  return {
    languages: paths.map((path) => {
      const language = path.slice('languages/'.length, -'.json'.length);
      const { units } = parseJson(files, path, cardTranslationSchema.omit({ language: true }));
      if (!tagSchema.safeParse(language).success) {
        throw new ArchiveError(`${path}: ${JSON.stringify(language.slice(0, 60))} is not a language tag.`);
      }
      return { language, units: renamedUnits(units, (key) => (layouts.has(key) ? key : null)) };
    }),
  };
}

const inAlphabet = (languages: readonly TranslationEntry[]): TranslationEntry[] =>
  [...languages].sort((a, b) => byName(a.language, b.language));

function parseRulebooks(files: Files): RulebookEntry[] {
  const paths = [...files.keys()].filter((path) => /^rulebooks\/[^/]+\.json$/.test(path)).sort(byName);
  if (paths.length > MAX_RULEBOOKS) throw new ArchiveError(`There are more than ${MAX_RULEBOOKS} rulebooks.`);
  return paths.map((path) => {
    const entry = parseJson(files, path, rulebookEntrySchema);
    const { title, subtitle, language, blocks } = entry;
    try {
      parseRulebook({ version: RULEBOOK_VERSION, title, subtitle, language, blocks });
    } catch (error) {
      throw new ArchiveError(`${path}: ${error instanceof Error ? error.message : 'It is no rulebook.'}`);
    }
    return entry;
  });
}

/** Layouts in the order in which components name them, so that a second archive gives them the same files. */
function inOrderOfUse(layouts: readonly LayoutEntry[], components: readonly ComponentEntry[]): LayoutEntry[] {
  const places = new Map<string, number>();
  for (const { fields } of components) {
    renameLayouts(fields, (key) => {
      if (!places.has(key)) places.set(key, places.size);
      return key;
    });
  }
  const place = ({ key }: LayoutEntry) => places.get(key) ?? places.size;
  return [...layouts].sort((a, b) => place(a) - place(b) || byName(a.name, b.name) || byName(a.key, b.key));
}

/** Removes the single top folder that zipping a folder adds. */
function withoutFolder(files: Files): Files {
  if (files.has('project.json')) return files;
  const [root] = [...files.keys()].flatMap((path) => /^([^/]+\/)project\.json$/.exec(path)?.[1] ?? []);
  if (root === undefined) {
    throw new ArchiveError(
      'This is no project archive: it has no project.json. Choose a ZIP that “Download archive” made.',
    );
  }
  return new Map(
    [...files].flatMap(([path, bytes]) =>
      path.startsWith(root) ? [[path.slice(root.length), bytes] as const] : [],
    ),
  );
}
