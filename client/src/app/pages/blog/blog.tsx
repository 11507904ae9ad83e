import { Link } from 'react-router';
import { day } from '../../../ui/dates.ts';
import { Page } from '../../../ui/page/page.tsx';
import { type Figure, FigureCards } from '../../prose/card-figure.tsx';
import { ARTICLE_CARDS } from './article-cards.ts';
import css from './blog.module.css';
import { ARTICLES } from './contents.ts';

/** Greatest width of a cover's cards together, and of a single one, in CSS pixels. */
const COVER_WIDTH = 264;
const COVER_CARD_WIDTH = 150;

/** The upper part of an article's cards. */
function Cover({ cards, square = false }: Figure) {
  const width = Math.min(COVER_CARD_WIDTH, COVER_WIDTH / cards.length);
  return (
    <div className={css.cover} aria-hidden>
      <FigureCards cards={cards} width={width} square={square} told={false} />
    </div>
  );
}

/** `/blog/`: the articles. */
export function Component() {
  return (
    <Page title="Blog" lead="Notes on designing, printing and testing games.">
      <ul className={css.list} aria-label="Articles">
        {ARTICLES.map(({ slug, title, lead, date, cover }) => (
          <li key={slug}>
            <Cover {...ARTICLE_CARDS[cover]} />
            <time dateTime={date}>{day(date)}</time>
            <h2>
              <Link to={`/blog/${slug}`}>{title}</Link>
            </h2>
            <p>{lead}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
