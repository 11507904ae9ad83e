import { getDocs } from '@sdk/firestore';
import { sourcesInCell, sourcesInScene } from '../../core/images/sources.ts';
import { resolveTree } from '../../core/layout/resolve-tree.ts';
import { resolve } from '../../core/scene/card/resolve.ts';
import { type Layout, layoutSchema } from '../../core/scene/layout.ts';
import {
  type Card,
  type Component,
  cardSchema,
  componentSchema,
  rulebookSchema,
  type WithId,
} from '../documents/documents.ts';
import { sidesOf } from '../layouts/card-layout.ts';
import type { Layouts, Project } from '../project/open-project.ts';
import { computedCards } from '../table/formula/formula.ts';

/** The page can be used after so long, in milliseconds, while cards are looked through. */
const SLICE_MS = 20;

/** A layout, as far as it names images. */
export interface NamingLayout {
  readonly id: string;
  readonly name: string;
  /** As it is stored: a damaged one names images too. */
  readonly scene: unknown;
}

/** A rulebook, as far as it names images. */
export interface NamingRulebook {
  readonly id: string;
  readonly title: string;
  readonly blocks: unknown;
}

/** Everything in a project that names images. */
export interface ProjectTexts {
  readonly components: readonly WithId<Component>[];
  /** By component, as they are stored. */
  readonly cards: ReadonlyMap<string, readonly WithId<Card>[]>;
  readonly layouts: readonly NamingLayout[];
  /** Only when all is read: figures take their images along when they are chosen. */
  readonly rulebooks?: readonly NamingRulebook[];
}

/** A layout, a rulebook or a card, with the images that it names. */
export type NamingPlace = { readonly sources: ReadonlySet<string> } & (
  | { readonly layout: NamingLayout }
  | { readonly rulebook: NamingRulebook }
  | { readonly component: WithId<Component>; readonly card: WithId<Card> }
);

/** The layouts of a project or a library, as far as they name images. */
export async function readNamingLayouts({ layouts }: Pick<Layouts, 'layouts'>): Promise<NamingLayout[]> {
  return (await getDocs(layouts)).docs.map((found) => {
    const { name, scene } = (found.data() ?? {}) as Record<string, unknown>;
    return { id: found.id, name: typeof name === 'string' ? name : found.ref.path, scene };
  });
}

/**
 * Reads everything in a project that names images. What has an unknown shape is left out.
 * @param wanted components whose cards are read, and no rulebooks; all without
 */
export async function readTexts(
  project: Project,
  wanted?: (component: WithId<Component>) => boolean,
): Promise<ProjectTexts> {
  const [found, layouts] = await Promise.all([getDocs(project.components), readNamingLayouts(project)]);
  const components = found.docs.flatMap((document) => {
    const read = componentSchema.safeParse(document.data());
    return read.success ? [{ ...read.data, id: document.id }] : [];
  });
  const cards = new Map<string, WithId<Card>[]>();
  for (const { id } of wanted ? components.filter(wanted) : components) {
    const own = (await getDocs(project.cards(id))).docs.flatMap((one) => {
      const card = cardSchema.safeParse(one.data());
      return card.success ? [{ ...card.data, id: one.id }] : [];
    });
    cards.set(id, own);
  }
  if (wanted) return { components, cards, layouts };
  return { components, cards, layouts, rulebooks: await readRulebooks(project) };
}

async function readRulebooks(project: Project): Promise<NamingRulebook[]> {
  const kept = (await getDocs(project.rulebooks)).docs.flatMap((found) => {
    const read = rulebookSchema.safeParse(found.data());
    return read.success && read.data.deletedAt === 0 ? [{ id: found.id, title: read.data.title }] : [];
  });
  if (kept.length === 0) return [];
  // The editor's document model is loaded only for projects that have rulebooks.
  const { readText } = await import('../rulebooks/read-text.ts');
  const { blocksOfProse } = await import('../../core/book/prose/convert.ts');
  return Promise.all(
    kept.map(async (one) => ({ ...one, blocks: blocksOfProse((await readText(project, one.id)).doc) })),
  );
}

/**
 * Every place of a project that names images: layouts and rulebooks by what is written in them; cards by their cells, formula columns
 * worked out, and by what the layouts of both their sides make of them.
 * @param wanted layouts to look at, and components, by their cards; all without
 */
export async function* placesNaming(
  texts: ProjectTexts,
  wanted: (id: string, card?: string) => boolean = () => true,
): AsyncGenerator<NamingPlace> {
  const scenes = new Map<string, Layout>();
  for (const layout of texts.layouts) {
    const read = layoutSchema.safeParse(layout.scene);
    if (read.success) scenes.set(layout.id, read.data);
    if (wanted(layout.id)) yield { layout, sources: new Set(sourcesInScene(layout.scene)) };
  }
  for (const rulebook of texts.rulebooks ?? []) {
    if (wanted(rulebook.id)) yield { rulebook, sources: new Set(sourcesInScene(rulebook.blocks)) };
  }
  let begun = performance.now();
  for (const component of texts.components) {
    const ofImages = new Set(component.columns.flatMap(({ key, type }) => (type === 'image' ? [key] : [])));
    const cards = texts.cards.get(component.id) ?? [];
    for (const card of computedCards(cards, component)) {
      if (!wanted(component.id, card.id)) continue;
      const sources = new Set(
        Object.entries(card.cells).flatMap(([key, text]) => sourcesInCell(text, ofImages.has(key))),
      );
      const { front, back } = sidesOf(component, card);
      // Cards whose layout is gone have the component's own.
      for (const id of new Set([front, back, component.layoutId])) {
        const scene = scenes.get(id ?? '');
        if (scene) for (const source of sourcesOnCard(scene, card, component.columns)) sources.add(source);
      }
      yield { component, card, sources };
      if (performance.now() - begun < SLICE_MS) continue;
      await new Promise((resume) => setTimeout(resume));
      begun = performance.now();
    }
  }
}

/** The images that a layout shows on a card: bindings and formulas worked out. */
function sourcesOnCard(layout: Layout, { cells }: Card, columns: Component['columns']): string[] {
  const row = { cells };
  return sourcesInScene([
    resolve(layout.base, row, columns).zone,
    resolveTree(layout.zones, row, columns, []),
  ]);
}
