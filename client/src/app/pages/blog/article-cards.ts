import type { Figure } from '../../prose/card-figure.tsx';
import { BLEED, FENCE_DOWN, GENERATOR, gallery, MOUNTAINS, SHEET, TEMPLATES } from '../../prose/figures.ts';

const figures = {
  templates: {
    cards: [
      { layout: TEMPLATES.poker, label: 'Blank poker card, 63.5 by 88.9 millimetres' },
      { layout: TEMPLATES.tarot, label: 'Blank tarot card, 69.85 by 120.65 millimetres' },
      { layout: TEMPLATES.mini, label: 'Blank mini card, 44.45 by 63.5 millimetres' },
    ],
    width: 150,
    caption: 'Poker, tarot and mini, each blank.',
  },
  bleed: {
    cards: [{ layout: BLEED, label: 'A card before cutting, with bleed, cut line and safe area' }],
    square: true,
    width: 250,
    caption: 'Pink is the bleed and is cut away; red is the cut; dashed green is the safe area.',
  },
  sheet: {
    cards: [{ layout: SHEET, label: 'Nine cards on a sheet of A4 with crop marks' }],
    square: true,
    width: 260,
    caption: 'Nine cards on A4. The marks stand outside, so that no line stays on a card.',
  },
  jurassic: {
    cards: [
      { layout: FENCE_DOWN, label: 'Fence Down, an alarm that costs 3' },
      { layout: GENERATOR, label: 'Generator, equipment that costs 1' },
    ],
    caption: 'An alarm and what helps against it: one layout, two rows.',
  },
  mountains: {
    cards: MOUNTAINS.map((layout) => ({ layout, label: `${layout.name}, drawn by its steepness` })),
    width: 170,
    caption: 'The width of the triangle is the mountain’s own.',
  },
  gallery: { cards: gallery(), width: 170, caption: 'Three rows of a table, one layout.' },
};

/** The name of an article's picture. */
export type FigureName = keyof typeof figures;

/** The cards of the articles' pictures, by the names their words call them. */
export const ARTICLE_CARDS: Readonly<Record<FigureName, Figure>> = figures;
