import { doc, getDocs, increment, limit, orderBy, query, writeBatch } from '@sdk/firestore';
import { type Component, MAX_CARDS, type WithId } from '../../documents/documents.ts';
import type { Project } from '../../project/open-project.ts';
import { newCard } from './edits.ts';

/** Most rows appended at once: they and the count of cards are one commit. */
export const MAX_APPENDED = 200;

/** Puts rows at the end of a component's table: all of them, or none if they do not fit. */
export async function appendRows(
  project: Project,
  component: WithId<Component>,
  rows: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  if (rows.length > MAX_APPENDED) throw new Error(`At most ${MAX_APPENDED} rows are added at once.`);
  if (component.cardCount + rows.length > MAX_CARDS) {
    throw new Error(`A component has at most ${MAX_CARDS} cards. Delete some, or choose another component.`);
  }
  const cards = project.cards(component.id);
  const last = await getDocs(query(cards, orderBy('order', 'desc'), limit(1)));
  const first = Number(last.docs[0]?.get('order') ?? 0) + 1;
  const batch = writeBatch(project.db);
  for (const [at, texts] of rows.entries()) {
    const { card, faults } = newCard(texts, first + at, component);
    if (faults[0] !== undefined) throw new Error(faults[0]);
    batch.set(doc(cards), card);
  }
  batch.update(project.component(component.id), { cardCount: increment(rows.length) });
  await batch.commit();
}
