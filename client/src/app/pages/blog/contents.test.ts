import { describe, expect, it } from 'vitest';
import { countWords, parseProse } from '../../prose/parse.ts';
import { ARTICLE_SLUGS } from '../../routes.ts';
import { ARTICLE_CARDS } from './article-cards.ts';
import { ARTICLES } from './contents.ts';

it('lists the six articles that have an address', () => {
  expect(ARTICLES.map(({ slug }) => slug).sort()).toEqual([...ARTICLE_SLUGS].sort());
  expect(ARTICLE_SLUGS).toEqual(
    expect.arrayContaining(['free-printable-card-templates', 'jurassic-crisis', '14ers']),
  );
});

describe.each(ARTICLES)('$slug', ({ load }) => {
  it('has six hundred words and more, headings, and pictures that exist', async () => {
    const source = (await load()).default;
    expect(countWords(source)).toBeGreaterThanOrEqual(600);
    const blocks = parseProse(source);
    expect(blocks.filter(({ kind }) => kind === 'heading').length).toBeGreaterThanOrEqual(4);
    const figures = blocks.flatMap((block) => (block.kind === 'figure' ? [block.name] : []));
    expect(figures.length).toBeGreaterThanOrEqual(1);
    for (const name of figures) expect(ARTICLE_CARDS).toHaveProperty(name);
  });
});
