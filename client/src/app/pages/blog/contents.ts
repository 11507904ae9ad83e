import type { ARTICLE_SLUGS } from '../../routes.ts';
import type { FigureName } from './article-cards.ts';

export type Slug = (typeof ARTICLE_SLUGS)[number];

/** An article as the list shows it. */
export interface ArticleInfo {
  readonly slug: Slug;
  readonly title: string;
  readonly lead: string;
  /** ISO date. */
  readonly date: string;
  /** The picture above it. */
  readonly cover: FigureName;
  /** Its words, in the marks of `prose/parse.ts`. */
  readonly load: () => Promise<{ readonly default: string }>;
}

/** The articles, newest first. */
export const ARTICLES: readonly ArticleInfo[] = [
  {
    slug: 'from-spreadsheet-to-deck',
    title: 'From a spreadsheet to a deck',
    lead: 'How to prepare a list of cards, bring it in, and keep it the master of everything that follows.',
    date: '2026-11-18',
    cover: 'gallery',
    load: () => import('./articles/from-spreadsheet-to-deck.ts'),
  },
  {
    slug: 'print-and-play-at-home',
    title: 'A prototype in your hands tonight',
    lead: 'Paper, knife, sleeves: printing and cutting at home, with the things nobody writes down.',
    date: '2026-11-12',
    cover: 'sheet',
    load: () => import('./articles/print-and-play-at-home.ts'),
  },
  {
    slug: '14ers',
    title: 'Fourteeners: a deck made of facts',
    lead: 'Mountains make good cards. How to turn a table of facts into games, and numbers into drawings.',
    date: '2026-11-05',
    cover: 'mountains',
    load: () => import('./articles/14ers.ts'),
  },
  {
    slug: 'jurassic-crisis',
    title: 'Jurassic Crisis: a deck in a day',
    lead: 'A dinosaur park, a storm and forty-eight cards: one layout for three kinds of content.',
    date: '2026-10-29',
    cover: 'jurassic',
    load: () => import('./articles/jurassic-crisis.ts'),
  },
  {
    slug: 'bleed-trim-and-safe-zone',
    title: 'Bleed, trim and safe zone',
    lead: 'Why printers want more picture than there is card, and why a thin frame is a bad idea.',
    date: '2026-10-22',
    cover: 'bleed',
    load: () => import('./articles/bleed-trim-and-safe-zone.ts'),
  },
  {
    slug: 'free-printable-card-templates',
    title: 'Free printable card templates',
    lead: 'The sizes worth knowing, what the lines on a template mean, and how to print a blank one.',
    date: '2026-10-15',
    cover: 'templates',
    load: () => import('./articles/free-printable-card-templates.ts'),
  },
];
