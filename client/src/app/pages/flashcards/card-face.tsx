import { useViewportSize } from '@mantine/hooks';
import { cardName } from '../../../core/imposition/job/card-name.ts';
import { cellAt } from '../../../core/records.ts';
import type { Layout } from '../../../core/scene/layout.ts';
import type { Card, TableColumn, WithId } from '../../../data/documents/documents.ts';
import { PaintedCard } from '../../painting/painted-card.tsx';

/** Widest and narrowest a card is shown, in CSS pixels. */
const [NARROWEST_PX, WIDEST_PX] = [200, 340];
/** Height above and below the card, so that its buttons are in sight without scrolling. */
const AROUND_PX = 470;

/** The columns that hold words, in a wide sense: numbers too, and neither pictures nor styles. */
export const wordColumns = (columns: readonly TableColumn[]): readonly TableColumn[] =>
  columns.filter(({ type }) => type !== 'image' && type !== 'style');

/** A card's words for those who do not see it: its name, and each text under the name of its column. */
export function wordsOf(card: WithId<Card>, columns: readonly TableColumn[], place: number): string {
  const name = cardName(card, columns, place);
  const texts = wordColumns(columns)
    .map((column) => ({ title: column.name, text: cellAt(card.cells, column.key).trim() }))
    .filter(({ text }) => text !== '' && text !== name);
  return [name, ...texts.map(({ title, text }) => `${title}: ${text}`)].join(', ');
}

/** A side of a card, as large as the window has room for. */
export function CardFace({
  layout,
  card,
  columns,
  label,
  below = 0,
}: {
  layout: Layout;
  card: WithId<Card>;
  columns: readonly TableColumn[];
  label: string;
  /** Height that more things below or above it take, in CSS pixels. */
  below?: number;
}) {
  // Not known before it is first drawn.
  const tall = useViewportSize().height || window.innerHeight;
  const fitting = ((tall - AROUND_PX - below) * layout.size.w) / layout.size.h;
  return (
    <PaintedCard
      layout={layout}
      cells={card.cells}
      columns={columns}
      width={Math.round(Math.max(NARROWEST_PX, Math.min(WIDEST_PX, fitting)))}
      label={label}
    />
  );
}
