import { doc, serverTimestamp, setDoc, updateDoc } from '@sdk/firestore';
import {
  type JsonObject,
  type LayoutEntry,
  type ProjectBundle,
  renamedUnits,
  renameFollowed,
  renameLayouts,
} from '../../../core/archive/bundle.ts';
import { FONT_FOLDER, fontsOf, renameFonts } from '../../../core/archive/fonts.ts';
import { layoutSchema } from '../../../core/scene/layout.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { isolated } from '../../../core/text/names.ts';
import type { NamedPlace } from '../../asset-copies.ts';
import {
  type Branch,
  cardSchema,
  componentSchema,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TAGS,
  printPresetSchema,
  printRunSchema,
  readDocument,
} from '../../documents/documents.ts';
import { imagesOf } from '../../images/library-location.ts';
import { rulebookWrites } from '../../rulebooks/rulebooks.ts';
import { type BatchWrite, commitInBatches } from '../../server/commit.ts';
import { getDb } from '../../server/database.ts';
import { projectTranslations, rulebookTranslations } from '../../translations/translation-place.ts';
import { translationWrites } from '../../translations/translation-writes.ts';
import { newOwnProject, ownershipOf, type Project } from '../open-project.ts';
import { deleteProject } from '../project-contents.ts';
import { toJson } from './json.ts';
import type { ProjectWork } from './read-project.ts';

interface Write extends BatchWrite {
  readonly what: string;
}

/**
 * Writes a bundle as a new project of the user's own and answers its id. Until all of it is written the project lies in
 * the trash, so that no half of one is ever among the others; what was written before a failure is deleted again. Its
 * images and fonts come first, and go into the project.
 * @param original the project that the bundle was read from, if it is a copy: its layouts have the bundle's keys as ids
 * @param from version of another project that it begins as
 * @param project the new project's handle, where its id has been chosen
 */
export async function writeProject(
  given: ProjectBundle,
  options: ProjectWork = {},
  original?: NamedPlace,
  from?: Branch,
  project: Project = newOwnProject(),
): Promise<string> {
  const half = (from: number): ProjectWork => ({
    signal: options.signal,
    onProgress: ({ done, total, what }) =>
      options.onProgress?.({ done: from + (50 * done) / Math.max(1, total), total: 100, what }),
  });
  const facts = given.project;
  try {
    await setDoc(project.details, {
      ...ownershipOf(project),
      name: cutText(facts.name, MAX_NAME_LENGTH),
      description: cutText(facts.description, MAX_DESCRIPTION_LENGTH),
      tags: facts.tags.slice(0, MAX_TAGS),
      coverColor: facts.coverColor,
      cover: facts.cover,
      ...(from && { from }),
      createdAt: serverTimestamp(),
      updatedAt: serverTimestamp(),
      trashedAt: serverTimestamp(),
      ...(facts.language !== undefined && { language: facts.language }),
    });
    const withImages = await takeImagesInto(project, given, half(0));
    const bundle = await takeFontsInto(project, withImages, original);
    // A branch keeps the ids of its version, so that its changes can be told from those of the project.
    const layouts = new Map(bundle.layouts.map(({ key }) => [key, from ? key : doc(project.layouts).id]));
    const writes = [
      ...plan(bundle, project, layouts, from !== undefined),
      ...(await planRulebooks(bundle, project, from !== undefined)),
    ];
    await commit(writes, given.images.length === 0 ? options : half(50));
    await updateDoc(project.details, { trashedAt: null });
  } catch (error) {
    await deleteProject(project).catch(() => undefined);
    throw error;
  }
  return project.id;
}

/** Puts a bundle's images into a project, and answers the bundle as it names them there. */
async function takeImagesInto(
  project: Project,
  bundle: ProjectBundle,
  work: ProjectWork,
): Promise<ProjectBundle> {
  if (bundle.images.length === 0) return bundle;
  const { takeImages } = await import('./images-in.ts');
  const { imageTarget } = await import('./library-exchange.ts');
  return (await takeImages(bundle, imageTarget(imagesOf(project)), work)).bundle;
}

/** Puts a bundle's fonts into a project: those of an archive, and those of the project that it is a copy of. */
async function takeFontsInto(
  project: Project,
  bundle: ProjectBundle,
  original: NamedPlace | undefined,
): Promise<ProjectBundle> {
  if (!bundle.layouts.some(({ scene }) => fontsOf(scene).length > 0)) return bundle;
  const { storeFont, withOwnFonts } = await import('../../fonts/own-fonts.ts');
  const files = new Map((bundle.fonts ?? []).map(({ path, bytes }) => [FONT_FOLDER + path, bytes]));
  const layouts: LayoutEntry[] = [];
  for (const layout of bundle.layouts) {
    const read = layoutSchema.safeParse(layout.scene);
    const stored = new Map<string, string>();
    for (const font of read.data?.fonts ?? []) {
      const bytes = files.get(font.url);
      if (bytes) stored.set(font.url, await storeFont(font, bytes, project));
    }
    const scene = renameFonts(layout.scene, (url) => stored.get(url));
    const source = original && { ...original, layout: layout.key };
    const own = read.success && source && (await withOwnFonts(layoutSchema.parse(scene), project, source));
    layouts.push({ ...layout, scene: own ? toJson(own) : scene });
  }
  return { ...bundle, layouts };
}

function plan(
  bundle: ProjectBundle,
  project: Project,
  layouts: ReadonlyMap<string, string>,
  keepIds: boolean,
): Write[] {
  const writes: Write[] = [];
  const add = (what: string, data: object, into: Write['into']) =>
    writes.push({ what, characters: JSON.stringify(data).length, into });
  for (const { key, name, tags = [], scene, follows } of bundle.layouts) {
    const read = readDocument(layoutSchema, `The layout ${cutText(name, MAX_NAME_LENGTH)}`, scene);
    const ref = project.layout(layouts.get(key) ?? key);
    const followed = follows && renameFollowed(follows, (other) => layouts.get(other) ?? null);
    const data = {
      name: cutText(name, MAX_NAME_LENGTH),
      version: read.version,
      scene: read,
      ...(tags.length > 0 && { tags: tags.slice(0, MAX_TAGS) }),
      ...(followed && { follows: followed }),
    };
    add('Writing layouts', data, (batch) => batch.set(ref, { ...data, updatedAt: serverTimestamp() }));
  }
  for (const [order, component] of bundle.components.entries()) {
    const renamed = renameLayouts(component.fields, (key) => layouts.get(key) ?? null);
    const data = { ...renamed, order, cardCount: component.cards.length };
    const { name } = readDocument(componentSchema, `Component ${order + 1}`, data);
    const ref = project.component(component.id);
    add(`Writing ${name}`, data, (batch) => batch.set(ref, data));
    for (const [place, { id, copies, status, cells, more }] of component.cards.entries()) {
      const card: JsonObject = { ...more, order: place, copies, cells, ...(status && { status }) };
      readDocument(cardSchema, `Card ${place + 1} of ${name}`, card);
      const at = project.card(component.id, id);
      add(`Writing ${name}`, card, (batch) => batch.set(at, card));
    }
  }
  if (bundle.notes) {
    const data = { text: bundle.notes };
    add('Writing notes', data, (batch) =>
      batch.set(project.notes, { ...data, updatedAt: serverTimestamp() }),
    );
  }
  for (const comment of bundle.comments) {
    // The author may have no account here, so only the name is copied.
    const data = { ...comment, authorId: '' };
    add('Writing comments', data, (batch) => batch.set(doc(project.comments), data));
  }
  for (const { id: known, ...preset } of bundle.presets) {
    const ref = keepIds && known ? project.printPreset(known) : doc(project.printPresets);
    readDocument(printPresetSchema, `Print settings ${isolated(preset.name)}`, { ...preset, updatedAt: 0 });
    add('Writing print settings', preset, (batch) =>
      batch.set(ref, { ...preset, updatedAt: serverTimestamp() }),
    );
  }
  for (const run of bundle.runs) {
    readDocument(printRunSchema, `Print ${run.number}`, run);
    add('Writing the print history', run, (batch) => batch.set(doc(project.printRuns), run));
  }
  const languages = (bundle.languages ?? []).map(({ language, units }) => ({
    language,
    units: renamedUnits(units, (key) => layouts.get(key) ?? null),
  }));
  for (const write of translationWrites(projectTranslations(project), languages)) {
    writes.push({ what: 'Writing translations', ...write });
  }
  return writes;
}

async function planRulebooks(
  { rulebooks }: ProjectBundle,
  project: Project,
  keepIds: boolean,
): Promise<Write[]> {
  if (rulebooks.length === 0) return [];
  // The editor's document model is loaded only for projects that have rulebooks.
  const { parseBlocks } = await import('../../../core/book/prose/convert.ts');
  const { stepsOf } = await import('../../../core/book/prose/steps.ts');
  return rulebooks.flatMap(({ id: known, blocks, noTerms, translations = [], ...fields }, order) => {
    const id = (keepIds && known) || doc(project.rulebooks).id;
    const steps = stepsOf(parseBlocks(blocks), noTerms);
    return [
      ...rulebookWrites(project, id, { ...fields, order }, steps),
      ...translationWrites(rulebookTranslations(project, id), translations),
    ].map((write) => ({ what: `Writing ${isolated(fields.title)}`, ...write }));
  });
}

async function commit(writes: readonly Write[], { onProgress, signal }: ProjectWork): Promise<void> {
  await commitInBatches(getDb(), writes, (done, { what }) => {
    signal?.throwIfAborted();
    onProgress?.({ done, total: writes.length, what });
  });
  signal?.throwIfAborted();
  onProgress?.({ done: writes.length, total: writes.length, what: 'Finishing' });
}
