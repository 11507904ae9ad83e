import {
  deleteField,
  getDocs,
  limit,
  orderBy,
  type Query,
  query,
  updateDoc,
  writeBatch,
} from '@sdk/firestore';
import { type CardStatus, MAX_CARDS } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';

/** Cards deleted in one commit. */
const PER_COMMIT = 400;

/** A component has more cards than anything here can work with. */
export class TooManyCards extends Error {
  override readonly name = 'TooManyCards';

  constructor() {
    super(
      `This component has more than ${MAX_CARDS} cards, which no page can show. Delete it from its menu, and import fewer.`,
    );
  }
}

/** A component's cards in their order; one more than `MAX_CARDS` where there are too many. */
export const cardsQuery = (project: Project, component: string): Query =>
  query(project.cards(component), orderBy('order'), limit(MAX_CARDS + 1));

/** The cards of a component as they are now, in their order. @throws TooManyCards */
export async function readCardDocuments(project: Project, component: string) {
  const { docs } = await getDocs(cardsQuery(project, component));
  if (docs.length > MAX_CARDS) throw new TooManyCards();
  return docs;
}

/** Deletes all cards of a component, of which nobody knows how many there are, in one commit after another. */
export async function deleteAllCards(project: Project, component: string): Promise<void> {
  for (;;) {
    const { docs } = await getDocs(query(project.cards(component), limit(PER_COMMIT)));
    if (docs.length === 0) return;
    const batch = writeBatch(project.db);
    for (const { ref } of docs) batch.delete(ref);
    await batch.commit();
  }
}

/** Sets the status of a card, or takes it away. */
export function setCardStatus(
  project: Project,
  component: string,
  card: string,
  status: CardStatus | undefined,
): Promise<void> {
  return updateDoc(project.card(component, card), { status: status ?? deleteField() });
}
