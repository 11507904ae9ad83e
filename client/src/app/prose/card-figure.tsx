import type { Layout } from '../../core/scene/layout.ts';
import { PaintedCard } from '../painting/painted-card.tsx';
import css from './card-figure.module.css';

const NO_COLUMNS: readonly never[] = [];

/** One card of a figure. */
export interface FigureCard {
  readonly layout: Layout;
  readonly cells?: Readonly<Record<string, string>>;
  /** Text alternative of the figure. */
  readonly label: string;
}

const NO_CELLS = {};

/** Cards beside each other; `told` is whether what they show is said to those who do not see it. */
export function FigureCards({
  cards,
  width,
  square,
  told,
}: {
  cards: readonly FigureCard[];
  width: number;
  square: boolean;
  told: boolean;
}) {
  return cards.map(({ layout, cells = NO_CELLS, label }) => (
    <PaintedCard
      key={label}
      layout={layout}
      cells={cells}
      columns={NO_COLUMNS}
      width={width}
      label={told ? label : ''}
      square={square}
    />
  ));
}

/** A picture in a text. */
export interface Figure {
  readonly cards: readonly FigureCard[];
  readonly caption: string;
  /** Of one card, in CSS pixels. */
  readonly width?: number;
  /** Leave the corners on and show the bleed's place. */
  readonly square?: boolean;
}

/** Cards in a text, painted here and now by the painter that also makes the PDF. */
export function CardFigure({ cards, caption, width = 190, square = false }: Figure) {
  return (
    <figure className={css.figure}>
      <div className={css.cards}>
        <FigureCards cards={cards} width={width} square={square} told />
      </div>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
