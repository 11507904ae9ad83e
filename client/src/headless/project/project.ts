import type * as z from 'zod';
import { ImageLibrary } from '../../core/images/library.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../../core/imposition/settings.ts';
import {
  type Component,
  cardSchema,
  componentSchema,
  type LayoutDocument,
  layoutDocumentSchema,
  type ProjectDocument,
  printPresetSchema,
  projectSchema,
  UnreadableDocument,
  usedLayouts,
  type WithId,
} from '../../data/documents/documents.ts';
import { imageSchema } from '../../data/images/schema.ts';
import { imagesSeen } from '../../data/images/seen.ts';
import { ownLayouts } from '../../data/layouts/own-layouts.ts';
import {
  layoutsPath,
  libraryImagesPath,
  type Path,
  PROJECTS,
  projectImagesPath,
  projectPath,
} from '../../data/project/addresses.ts';
import { type ProjectPart, projectParts } from '../../data/project/project-parts.ts';
import { computedCards } from '../../data/table/formula/formula.ts';
import { cardsInLanguage } from './card-language.ts';
import type { LoadedRulebook, ProjectContents } from './rulebook.ts';
import { type RemoteStore, StoreError } from './store.ts';
import { openVersion } from './version.ts';

/** Layouts read at a time. */
const LAYOUTS_AT_ONCE = 8;

/** A project as loaded for export. */
export interface LoadedProject {
  /** Of an opened version, its own id. */
  readonly id: string;
  /** Id of the project, whichever of its versions this is. */
  readonly home: string;
  readonly name: string;
  /** Name of the version; nothing for the project as it is. */
  readonly version: string | undefined;
  readonly parts: readonly ProjectPart[];
  /** Components and layouts as read: everything of the project only if that was asked for. */
  readonly contents: ProjectContents;
  readonly settings: PrintSettings;
  /** The rulebook that is exported, or shown in the export. */
  readonly rulebook?: LoadedRulebook;
  /** The images that the cards may name. */
  readonly library: ImageLibrary;
  /** Components left out because they have no layout. */
  readonly without: readonly string[];
  /** Tag of the language of the cards; nothing for their own. */
  readonly language?: string | undefined;
  /** Places where the source is printed, in words. */
  readonly untranslated: readonly string[];
  /** Other documents left out because they cannot be read, each with its path and its error. */
  readonly unreadable: readonly string[];
}

export interface ProjectChoice {
  /** Id or name. */
  readonly project: string;
  /** Name, number or id of a version of it; the project as it is when left out. */
  readonly version?: string | undefined;
  /** Id or name; all when left out. */
  readonly component?: string | undefined;
  /** Language that the cards are translated into; their own when left out. */
  readonly language?: string | undefined;
  /** Takes the cards' own words where they are not translated into that language, as a rulebook beside them is. */
  readonly ownWords?: boolean;
  /** Name of a print preset; the defaults when left out. */
  readonly preset?: string | undefined;
}

/** The chosen parts alone, or everything else of the project too, as a rulebook shows it. */
export type Extent = 'parts' | 'all';

/** @throws StoreError naming the missing item, and the ones there are */
export async function loadProject(
  store: RemoteStore,
  choice: ProjectChoice,
  extent: Extent = 'parts',
): Promise<LoadedProject> {
  const now = await findDeck(store, choice.project);
  const opened = choice.version === undefined ? undefined : await openVersion(store, now, choice.version);
  const deck = opened?.deck ?? now;
  // Unreadable images are missing from the cards that show them, and reported there.
  const [components, library, stock, own] = await Promise.all([
    store.list(projectPath(deck.id, 'components'), componentSchema),
    store.list(libraryImagesPath(store.uid), imageSchema),
    store.list(['stock'], imageSchema),
    store.list(projectImagesPath(deck.id), imageSchema),
  ]);
  const images = new ImageLibrary(
    imagesSeen(
      own.found.map((image) => ({ ...image, shelf: 'image' as const })),
      [
        ...library.found.map((image) => ({ ...image, shelf: 'image' as const })),
        ...stock.found.map((image) => ({ ...image, shelf: 'stock' as const })),
      ],
    ),
  );
  const unreadable = [...(opened?.unreadable ?? []), ...components.unreadable];
  const ordered = [...components.found].sort((a, b) => a.order - b.order);
  const chosen =
    choice.component === undefined ? ordered : [pick('component', choice.component, components.found)];
  const listedLayouts =
    extent === 'all'
      ? await listed(store, layoutsPath(deck.id), layoutDocumentSchema, unreadable)
      : await readLayouts(store, deck.id, chosen, unreadable);
  const layouts = ownLayouts(listedLayouts, deck.language);
  const contents: ProjectContents['parts'][number][] = [];
  for (const component of extent === 'all' ? ordered : chosen) {
    const path = projectPath(deck.id, 'components', component.id, 'cards');
    const cards = await listed(store, path, cardSchema, unreadable);
    cards.sort((a, b) => a.order - b.order);
    contents.push({ component, cards: computedCards(cards, component) });
  }
  const parts: ProjectPart[] = [];
  const without: string[] = [];
  for (const { component, cards } of contents.filter((one) => chosen.includes(one.component))) {
    const made = projectParts(component, cards, layouts);
    if (made.length === 0) without.push(component.name);
    parts.push(...made);
  }
  const spoken = await cardsInLanguage(store, deck, choice, { contents, layouts, parts });
  let settings = DEFAULT_PRINT_SETTINGS;
  if (choice.preset !== undefined) {
    const presets = await store.list(projectPath(deck.id, 'printPresets'), printPresetSchema);
    settings = pick('print preset', choice.preset, presets.found).settings;
  }
  return {
    id: deck.id,
    home: now.id,
    name: deck.name,
    version: opened?.name,
    parts: spoken.parts,
    language: spoken.language,
    untranslated: spoken.untranslated,
    contents: { parts: contents, layouts },
    settings,
    library: images,
    without,
    unreadable,
  };
}

/** By id, so that other projects do not matter, else by name among those that the user is a member of. */
async function findDeck(store: RemoteStore, wanted: string): Promise<WithId<ProjectDocument>> {
  const byId = await store.get(PROJECTS, wanted, projectSchema);
  return byId ?? pick('project', wanted, (await store.listJoined(projectSchema)).found);
}

/** Documents of a collection; unreadable ones are noted. */
async function listed<T>(
  store: RemoteStore,
  collection: Path,
  schema: z.ZodType<T>,
  unreadable: string[],
): Promise<WithId<T>[]> {
  const read = await store.list(collection, schema);
  unreadable.push(...read.unreadable);
  return read.found;
}

/** The layouts that components name; unreadable ones are noted. */
async function readLayouts(
  store: RemoteStore,
  project: string,
  components: readonly Component[],
  unreadable: string[],
): Promise<WithId<LayoutDocument>[]> {
  const ids = [...new Set(components.flatMap(usedLayouts))];
  const layouts: WithId<LayoutDocument>[] = [];
  for (let at = 0; at < ids.length; at += LAYOUTS_AT_ONCE) {
    const read = ids.slice(at, at + LAYOUTS_AT_ONCE).map((id) =>
      store.get(layoutsPath(project), id, layoutDocumentSchema).catch((error: unknown) => {
        if (!(error instanceof UnreadableDocument)) throw error;
        unreadable.push(error.message);
        return undefined;
      }),
    );
    layouts.push(...(await Promise.all(read)).filter((layout) => layout !== undefined));
  }
  return layouts;
}

function pick<T extends { readonly id: string; readonly name: string }>(
  what: string,
  wanted: string,
  all: readonly T[],
): T {
  const byId = all.find(({ id }) => id === wanted);
  if (byId) return byId;
  const named = all.filter(({ name }) => name === wanted);
  if (named.length > 1) {
    throw new StoreError(
      `There are ${named.length} of the name “${wanted}”: give the id instead (${named.map(({ id }) => id).join(', ')}).`,
    );
  }
  if (named[0]) return named[0];
  const names = all.map(({ name }) => `“${name}”`).join(', ') || 'none';
  throw new StoreError(`There is no ${what} “${wanted}”. There is: ${names}.`);
}
