import { cardName, plainLines, plainText } from '../imposition/job/card-name.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { cellAt } from '../records.ts';
import { printedCells } from '../scene/card/row.ts';
import type { SnapPoint, TabState } from './save.ts';

/** Content of a save beside its objects. */
export interface SaveExtras {
  /** Pages of the notebook, which every player can open. */
  readonly notebook: readonly NotebookPage[];
  /** Snap points under each deck and beside it, for drawing and discarding. */
  readonly snapPoints: boolean;
}

export interface NotebookPage {
  readonly title: string;
  readonly body: string;
}

export const NO_EXTRAS: SaveExtras = { notebook: [], snapPoints: false };

/** Longest text of a page of the notebook, in UTF-16 units. */
export const MAX_PAGE_LENGTH = 60_000;

/** A document's pages as one notebook page: every row a passage under its name. */
export function notebookPage({ name, columns, cards }: PrintPart): NotebookPage {
  const passages = cards.flatMap(({ row, copies }, index) => {
    if (copies <= 0) return [];
    const title = cardName({ ...row, index: index + 1 }, columns, index);
    const texts = columns
      .map(({ key }) => plainLines(cellAt(printedCells(row), key)))
      .filter((text) => text !== '' && plainText(text) !== title);
    return [[title, ...texts].join('\n\n')];
  });
  return { title: name || 'Rules', body: passages.join('\n\n').slice(0, MAX_PAGE_LENGTH) };
}

/** The notebook with these pages: a page of the same title is replaced, others stay. */
export function withNotebook(
  tabs: Readonly<Record<string, TabState>> | undefined,
  pages: readonly NotebookPage[],
): Record<string, TabState> {
  const all = { ...tabs };
  for (const { title, body } of pages) {
    const known = Object.keys(all).find((id) => all[id]?.title === title);
    const id = known ?? String(1 + Math.max(-1, ...Object.keys(all).map(Number).filter(Number.isFinite)));
    const look = all[id] ?? { color: 'Grey', visibleColor: { r: 0.5, g: 0.5, b: 0.5 } };
    all[id] = { ...look, title, body, id: Number(id) };
  }
  return all;
}

/** Snap points for the cards of a deck, rotated like the deck. */
export function deckSnapPoints(x: number, z: number, discardAt: number): SnapPoint[] {
  const at = (posZ: number): SnapPoint => ({
    Position: { x, y: 1, z: posZ },
    Rotation: { x: 0, y: 180, z: 0 },
  });
  return [at(z), at(z + discardAt)];
}
