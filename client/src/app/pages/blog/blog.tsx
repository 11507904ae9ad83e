import { Link } from 'react-router';
import { Page } from '../../../ui/page.tsx';
import css from './blog.module.css';
import { ARTICLES } from './contents.ts';
import { day } from './day.ts';

/** `/blog/`: the articles. */
export function Component() {
  return (
    <Page title="Blog" lead="Notes on designing, printing and testing games.">
      <ul className={css.list} aria-label="Articles">
        {ARTICLES.map(({ slug, title, lead, date }) => (
          <li key={slug}>
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
