import type { FigureCard } from '../../prose/card-figure.tsx';
import { BLEED, FENCE_DOWN, GENERATOR, gallery, MOUNTAINS, SHEET, TEMPLATES } from '../../prose/figures.ts';

/** The cards of an article's picture. */
export interface ArticleCards {
  readonly cards: readonly FigureCard[];
  /** Leave the corners on and show the bleed's place. */
  readonly square?: boolean;
}

const cards = {
  templates: {
    cards: [
      { layout: TEMPLATES.poker, label: 'Blank poker card, 63.5 by 88.9 millimetres' },
      { layout: TEMPLATES.tarot, label: 'Blank tarot card, 69.85 by 120.65 millimetres' },
      { layout: TEMPLATES.mini, label: 'Blank mini card, 44.45 by 63.5 millimetres' },
    ],
  },
  bleed: {
    cards: [{ layout: BLEED, label: 'A card before cutting, with bleed, cut line and safe area' }],
    square: true,
  },
  sheet: {
    cards: [{ layout: SHEET, label: 'Nine cards on a sheet of A4 with crop marks' }],
    square: true,
  },
  jurassic: {
    cards: [
      { layout: FENCE_DOWN, label: 'Fence Down, an alarm that costs 3' },
      { layout: GENERATOR, label: 'Generator, equipment that costs 1' },
    ],
  },
  mountains: {
    cards: MOUNTAINS.map((layout) => ({ layout, label: `${layout.name}, drawn by its steepness` })),
  },
  gallery: { cards: gallery() },
};

/** The name of an article's picture. */
export type FigureName = keyof typeof cards;

/** The cards of the articles' pictures, by the names their words call them. */
export const ARTICLE_CARDS: Readonly<Record<FigureName, ArticleCards>> = cards;
