import { getDoc } from '@sdk/firestore';
import { ImageLibrary } from '../../core/images/library.ts';
import { readCardDocuments } from '../cards/cards.ts';
import {
  type Component,
  cardSchema,
  layoutDocumentSchema,
  projectSchema,
  readDocument,
  type WithId,
} from '../documents/documents.ts';
import { readImagesSeen } from '../images/project-images.ts';
import type { Project } from '../project/open-project.ts';
import { layoutsInUse } from '../project/queries.ts';
import { computedCards, Formulas } from '../table/formula/formula.ts';
import { sourceLanguage } from '../translations/card-language.ts';
import { projectTranslations } from '../translations/translation-place.ts';
import { readTranslations } from '../translations/translations.ts';
import { type FitGroups, partsOf, type ReadParts, type StoredLanguages } from './parts.ts';

/**
 * Reads what a table needs of a project: cards with their formulas worked out, layouts, and the pictures they show.
 * @throws UnreadableDocument when a card or layout has no shape that this version understands
 */
export async function readParts(
  project: Project,
  components: readonly WithId<Component>[],
  fitGroups: FitGroups,
): Promise<ReadParts> {
  const [layouts, images, translations] = await Promise.all([
    readLayouts(project, components),
    readImagesSeen(project),
    readLanguages(project),
  ]);
  const library = new ImageLibrary(images);
  return partsOf(
    { components, cardsOf: (component) => readCards(project, component), layouts, library, translations },
    fitGroups,
  );
}

/** The languages of a project, or of an opened version. */
async function readLanguages(project: Project): Promise<StoredLanguages> {
  const [details, stored] = await Promise.all([
    getDoc(project.details),
    readTranslations(projectTranslations(project)),
  ]);
  const { language } = readDocument(projectSchema, project.details.path, details.data());
  return {
    source: sourceLanguage({ language }),
    entries: new Map(stored.map((one) => [one.language, one.entries])),
  };
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
