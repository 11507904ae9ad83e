import type { ReactNode } from 'react';
import { CardFigure } from '../../prose/card-figure.tsx';
import { card, shape, solid, words } from '../../prose/drawing.ts';
import { gallery, LANTERN, plainCard, SHEET } from '../../prose/figures.ts';

const BLANK = card('Blank', 'poker', solid('#ffffff'), []);
const BAND = card('Band', 'poker', solid('#fffaf0'), [
  shape([-3.2, -3.2, 69.9, 17], solid('#2f5d62')),
  words([5, 3, 53, 9], 'The Lantern', {
    family: 'cinzel',
    size: 13,
    weight: 700,
    color: '#ffffff',
    vAlign: 'middle',
  }),
]);
const EMPTY = plainCard('Name', 'Kind', '0', 'The rule of the card.', '#2f5d62');

/** The pictures of the guides, by the names their words call them. */
export const GUIDE_FIGURES: Readonly<Record<string, ReactNode>> = {
  'step-blank': (
    <CardFigure cards={[{ layout: BLANK, label: 'A blank card' }]} caption="A blank poker card." />
  ),
  'step-band': (
    <CardFigure
      cards={[{ layout: BAND, label: 'A card with a band and a title' }]}
      caption="A band into the bleed, and a title on it."
    />
  ),
  'step-done': (
    <CardFigure
      cards={[
        { layout: EMPTY, label: 'The same layout with sample words' },
        { layout: LANTERN, label: 'The finished card: The Lantern' },
      ]}
      caption="The layout, and a card of it."
    />
  ),
  'step-rows': <CardFigure width={160} cards={gallery()} caption="Three rows, one layout." />,
  'step-hand': (
    <CardFigure width={160} cards={gallery()} caption="A hand of three: nobody else is sent its faces." />
  ),
  'step-sheet': (
    <CardFigure
      width={240}
      square
      cards={[{ layout: SHEET, label: 'Nine cards on a sheet of A4 with crop marks' }]}
      caption="Nine cards on A4."
    />
  ),
};
