import type { ReactNode } from 'react';
import { CardFigure } from '../../prose/card-figure.tsx';
import { ARTICLE_CARDS } from './article-cards.ts';

/** The pictures of the articles, by the names their words call them. */
export const ARTICLE_FIGURES: Readonly<Record<string, ReactNode>> = Object.fromEntries(
  Object.entries(ARTICLE_CARDS).map(([name, figure]) => [name, <CardFigure key={name} {...figure} />]),
);
