import type { ReactNode } from 'react';
import { CardFigure } from '../../prose/card-figure.tsx';
import { ARTICLE_CARDS, type FigureName } from './article-cards.ts';

/** What stands below the articles' pictures, and how wide a card is, in CSS pixels. */
const SHOWN: Readonly<Record<FigureName, { caption: string; width?: number }>> = {
  templates: { width: 150, caption: 'Poker, tarot and mini, each blank.' },
  bleed: {
    width: 250,
    caption: 'Pink is the bleed and is cut away; red is the cut; dashed green is the safe area.',
  },
  sheet: {
    width: 260,
    caption: 'Nine cards on A4. The marks stand outside, so that no line stays on a card.',
  },
  jurassic: { caption: 'An alarm and what helps against it: one layout, two rows.' },
  mountains: { width: 170, caption: 'The width of the triangle is the mountain’s own.' },
  gallery: { width: 170, caption: 'Three rows of a table, one layout.' },
};

/** The pictures of the articles, by the names their words call them. */
export const ARTICLE_FIGURES: Readonly<Record<string, ReactNode>> = Object.fromEntries(
  Object.entries(SHOWN).map(([name, shown]) => [
    name,
    <CardFigure key={name} {...ARTICLE_CARDS[name as FigureName]} {...shown} />,
  ]),
);
