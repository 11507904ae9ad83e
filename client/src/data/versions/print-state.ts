import { getDocs, orderBy, query } from '@sdk/firestore';
import type { LibraryImage } from '../../core/images/library.ts';
import { readCardDocuments } from '../cards/cards.ts';
import { cardSchema, componentSchema, layoutDocumentSchema, readDocument } from '../documents/documents.ts';
import { toLibraryImage } from '../images/library-store.ts';
import { readImagesSeen } from '../images/project-images.ts';
import { ownLayouts } from '../layouts/own-layouts.ts';
import type { Project } from '../project/open-project.ts';
import { type ProjectPart, projectParts } from '../project/project-parts.ts';
import { readOwnLanguage } from '../project/read-own-language.ts';
import { computedCards } from '../table/formula/formula.ts';

/** All that decides how the cards of a project look on paper, in one of its states. */
export interface PrintState {
  readonly parts: readonly ProjectPart[];
  readonly library: readonly LibraryImage[];
}

/** Reads that of a project, or of an opened version. */
export async function readPrintState(project: Project): Promise<PrintState> {
  const [components, layouts, images, language] = await Promise.all([
    getDocs(query(project.components, orderBy('order'))),
    getDocs(project.layouts),
    readImagesSeen(project),
    readOwnLanguage(project),
  ]);
  // A layout that cannot be read shows nothing in either state.
  const scenes = layouts.docs.flatMap((found) => {
    const read = layoutDocumentSchema.safeParse(found.data());
    return read.success ? [{ ...read.data, id: found.id }] : [];
  });
  const parts: ProjectPart[] = [];
  for (const found of components.docs) {
    const component = { ...readDocument(componentSchema, found.ref.path, found.data()), id: found.id };
    const cards = (await readCardDocuments(project, component.id)).map((card) => ({
      ...readDocument(cardSchema, card.ref.path, card.data()),
      id: card.id,
    }));
    parts.push(...projectParts(component, computedCards(cards, component), ownLayouts(scenes, language)));
  }
  return { parts, library: images.map((image) => ({ ...toLibraryImage(image), rank: image.rank })) };
}
