import { Button, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { getServices } from '../../../data/server/firebase.ts';
import { EmptyState, Page } from '../../../ui/page/page.tsx';
import { scrollToHash } from '../../../ui/page/scroll-to-hash.ts';
import { slugOf } from '../../prose/parse.ts';
import { Prose } from '../../prose/prose.tsx';
import { communityTopic } from './community.ts';
import css from './docs.module.css';
import { searchTopics } from './search.ts';
import { TOPICS } from './topics.ts';

/** `/docs`: the guide, searchable. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const { hash } = useLocation();
  // The topics come later than the page: by then the browser has looked for the place in vain.
  useEffect(() => scrollToHash(hash), [hash]);
  const query = params.get('q') ?? '';
  const topics = [...TOPICS, communityTopic(getServices().host)];
  const found = searchTopics(topics, query);
  return (
    <Page title="Documentation" lead="From a table to a printed deck, and what else there is.">
      <div className={css.columns}>
        <nav className={css.contents} aria-label="Topics">
          <TextInput
            type="search"
            aria-label="Search the documentation"
            placeholder="Search"
            leftSection={<Search size={16} aria-hidden />}
            value={query}
            onChange={(event) => {
              const q = event.currentTarget.value;
              setParams(q ? { q } : {}, { replace: true });
            }}
          />
          <ul>
            {found.map(({ title }) => (
              <li key={title}>
                <Link to={{ hash: `#${slugOf(title)}`, search: params.toString() }}>{title}</Link>
              </li>
            ))}
          </ul>
          <p role="status" className={css.count}>
            {query && `${found.length} of ${topics.length} topics`}
          </p>
        </nav>
        <div>
          {found.length === 0 && (
            <EmptyState
              icon={<Search size={26} />}
              title={`Nothing about “${query}”`}
              action={<Button onClick={() => setParams({})}>Show everything</Button>}
            >
              Try a shorter word, or look through the <Link to="/Tutorials/">tutorials</Link>.
            </EmptyState>
          )}
          {found.map(({ title, words }) => (
            <article key={title} className={css.topic} id={slugOf(title)}>
              <h2>{title}</h2>
              <Prose source={words} />
            </article>
          ))}
        </div>
      </div>
    </Page>
  );
}
