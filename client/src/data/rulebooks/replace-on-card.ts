import { FieldPath, runTransaction } from '@sdk/firestore';
import type { CardPlace } from '../../core/book/checks/checks.ts';
import { replaceWords } from '../../core/book/checks/replace-words.ts';
import { cellAt } from '../../core/records.ts';
import { cardSchema, componentSchema, readDocument } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';

/** Cells before and after, by their columns. */
export type CellChanges = readonly {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}[];

/**
 * Replaces words in the texts of a card as they are stored, and answers what was changed. Pictures, styles and formulas
 * stay: names of files are no texts.
 */
export function replaceOnCard(
  project: Project,
  { component, card }: CardPlace,
  words: string,
  by: string,
): Promise<CellChanges> {
  const place = project.card(component, card);
  return runTransaction(project.db, async (transaction) => {
    const kind = project.component(component);
    const { columns } = readDocument(componentSchema, kind.path, (await transaction.get(kind)).data());
    const { cells } = readDocument(cardSchema, place.path, (await transaction.get(place)).data());
    const changes = columns
      .filter(({ type }) => type === 'text' || type === 'list')
      .map(({ key }) => ({
        key,
        before: cellAt(cells, key),
        after: replaceWords(cellAt(cells, key), words, by),
      }))
      .filter(({ before, after }) => before !== after);
    for (const { key, after } of changes) transaction.update(place, new FieldPath('cells', key), after);
    return changes;
  });
}

/** Takes a replacement back, in the cells that nobody has changed since. */
export function restoreOnCard(
  project: Project,
  { component, card }: CardPlace,
  changes: CellChanges,
): Promise<void> {
  const place = project.card(component, card);
  return runTransaction(project.db, async (transaction) => {
    const { cells } = readDocument(cardSchema, place.path, (await transaction.get(place)).data());
    for (const { key, before, after } of changes) {
      if (cellAt(cells, key) === after) transaction.update(place, new FieldPath('cells', key), before);
    }
  });
}
