import type { ReactNode } from 'react';
import { CardFigure } from '../../prose/card-figure.tsx';
import { BLEED, FENCE_DOWN, GENERATOR, gallery, MOUNTAINS, SHEET, TEMPLATES } from '../../prose/figures.ts';

/** The pictures of the articles, by the names their words call them. */
export const ARTICLE_FIGURES: Readonly<Record<string, ReactNode>> = {
  templates: (
    <CardFigure
      width={150}
      cards={[
        { layout: TEMPLATES.poker, label: 'Blank poker card, 63.5 by 88.9 millimetres' },
        { layout: TEMPLATES.tarot, label: 'Blank tarot card, 69.85 by 120.65 millimetres' },
        { layout: TEMPLATES.mini, label: 'Blank mini card, 44.45 by 63.5 millimetres' },
      ]}
      caption="Poker, tarot and mini, each blank."
    />
  ),
  bleed: (
    <CardFigure
      width={250}
      square
      cards={[{ layout: BLEED, label: 'A card before cutting, with bleed, cut line and safe area' }]}
      caption="Pink is the bleed and is cut away; red is the cut; dashed green is the safe area."
    />
  ),
  sheet: (
    <CardFigure
      width={260}
      square
      cards={[{ layout: SHEET, label: 'Nine cards on a sheet of A4 with crop marks' }]}
      caption="Nine cards on A4. The marks stand outside, so that no line stays on a card."
    />
  ),
  jurassic: (
    <CardFigure
      cards={[
        { layout: FENCE_DOWN, label: 'Fence Down, an alarm that costs 3' },
        { layout: GENERATOR, label: 'Generator, equipment that costs 1' },
      ]}
      caption="An alarm and what helps against it: one layout, two rows."
    />
  ),
  mountains: (
    <CardFigure
      width={170}
      cards={MOUNTAINS.map((layout) => ({ layout, label: `${layout.name}, drawn by its steepness` }))}
      caption="The width of the triangle is the mountain’s own."
    />
  ),
  gallery: <CardFigure width={170} cards={gallery()} caption="Three rows of a table, one layout." />,
};
