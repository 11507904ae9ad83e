import { ImageLibrary } from '../core/images/library.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../core/imposition/settings.ts';
import { type DeckPart, deckParts } from '../data/deck-parts.ts';
import {
  cardSchema,
  componentSchema,
  deckSchema,
  layoutDocumentSchema,
  printPresetSchema,
} from '../data/documents.ts';
import { imageSchema } from '../data/images/schema.ts';
import { type RemoteStore, StoreError } from './store.ts';

/** A project as it is exported. */
export interface LoadedProject {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly DeckPart[];
  readonly settings: PrintSettings;
  /** The images that the cards may name. */
  readonly library: ImageLibrary;
  /** Components left out, because they have no layout. */
  readonly without: readonly string[];
}

export interface ProjectChoice {
  /** Id or name. */
  readonly project: string;
  /** Id or name; all when left out. */
  readonly component?: string | undefined;
  /** Name of a print preset; the defaults when left out. */
  readonly preset?: string | undefined;
}

/** @throws StoreError naming what is not there, and what is */
export async function loadProject(store: RemoteStore, choice: ProjectChoice): Promise<LoadedProject> {
  const deck = pick('project', choice.project, await store.list('decks', deckSchema));
  const root = `decks/${deck.id}`;
  const [components, layouts, own, stock] = await Promise.all([
    store.list(`${root}/components`, componentSchema),
    store.list('layouts', layoutDocumentSchema),
    store.list('images', imageSchema),
    store.listShared('stock', imageSchema),
  ]);
  const library = new ImageLibrary([
    ...own.map((image) => ({ ...image, shelf: 'image' as const })),
    ...stock.map((image) => ({ ...image, shelf: 'stock' as const })),
  ]);
  const chosen =
    choice.component === undefined
      ? [...components].sort((a, b) => a.order - b.order)
      : [pick('component', choice.component, components)];
  const parts: DeckPart[] = [];
  const without: string[] = [];
  for (const component of chosen) {
    const cards = await store.list(`${root}/components/${component.id}/cards`, cardSchema);
    cards.sort((a, b) => a.order - b.order);
    const made = deckParts(component, cards, layouts);
    if (made.length === 0) without.push(component.name);
    parts.push(...made);
  }
  let settings = DEFAULT_PRINT_SETTINGS;
  if (choice.preset !== undefined) {
    const presets = await store.list(`${root}/printPresets`, printPresetSchema);
    settings = pick('print preset', choice.preset, presets).settings;
  }
  return { id: deck.id, name: deck.name, parts, settings, library, without };
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
