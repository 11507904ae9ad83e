import { getDoc } from '@sdk/firestore';
import { ImageLibrary } from '../../core/images/library.ts';
import { readCardDocuments } from '../cards/cards.ts';
import {
  type Component,
  cardSchema,
  layoutDocumentSchema,
  readDocument,
  type WithId,
} from '../documents/documents.ts';
import { readImagesSeen } from '../images/project-images.ts';
import { ownLayouts } from '../layouts/own-layouts.ts';
import type { Project } from '../project/open-project.ts';
import { layoutsInUse } from '../project/queries.ts';
import { computedCards, Formulas } from '../table/formula/formula.ts';
import { type FitGroups, partsOf, type ReadParts } from './parts.ts';

/**
 * Reads what a table needs of a project: cards with their formulas worked out, layouts, and the pictures they show.
 * @param language of the cards' own words, where they are painted in its forms
 * @throws UnreadableDocument when a card or layout has no shape that this version understands
 */
export async function readParts(
  project: Project,
  components: readonly WithId<Component>[],
  fitGroups: FitGroups,
  language = '',
): Promise<ReadParts> {
  const [stored, images] = await Promise.all([readLayouts(project, components), readImagesSeen(project)]);
  const layouts = ownLayouts(stored, language);
  const library = new ImageLibrary(images);
  return partsOf(
    { components, cardsOf: (component) => readCards(project, component), layouts, library },
    fitGroups,
  );
}

async function readLayouts(project: Project, components: readonly Component[]) {
  const found = await Promise.all(
    layoutsInUse(components).map(async (id) => {
      const document = await getDoc(project.layout(id));
      if (!document.exists()) return [];
      return [{ ...readDocument(layoutDocumentSchema, document.ref.path, document.data()), id }];
    }),
  );
  return found.flat();
}

/** The cards of a component, with their formulas worked out. */
export async function readCards(project: Project, component: WithId<Component>) {
  const docs = await readCardDocuments(project, component.id);
  const cards = docs.map((card) => ({
    ...readDocument(cardSchema, card.ref.path, card.data()),
    id: card.id,
  }));
  const formulas = new Formulas(component);
  formulas.setCards(cards);
  // The page can be used meanwhile.
  await formulas.workOut(() => new Promise((resolve) => setTimeout(resolve)));
  return computedCards(cards, component, formulas);
}
