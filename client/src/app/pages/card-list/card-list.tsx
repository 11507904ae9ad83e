import { Button } from '@mantine/core';
import { ListTree } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { describeError } from '../../../data/messages.ts';
import { useComponents, useDecks } from '../../../data/queries.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import css from './card-list.module.css';

function Components({ deck }: { deck: string }) {
  const { data, error } = useComponents(deck);
  if (error) return <Problem title={describeError(error)} />;
  if (!data) return <Placeholder height={120} radius={12} />;
  if (data.items.length === 0) return <p>This project has no components yet.</p>;
  return (
    <ul className={css.list} aria-label="Components">
      {data.items.map(({ id, name, cardCount }) => (
        <li key={id}>
          <Link to={`/decks/${deck}?component=${id}`}>{name}</Link> <span>{cardCount} cards</span>
        </li>
      ))}
    </ul>
  );
}

/** `/cardlist2`: the card lists of every project. */
export function Component() {
  const { data, error } = useDecks();
  const [params, setParams] = useSearchParams();
  const decks = data?.items;
  const deck = params.get('deck') ?? decks?.[0]?.id;
  return (
    <Page title="Card lists" lead="The components of a project and how many cards each has.">
      {error && <Problem title={describeError(error)} />}
      {!decks && !error && (
        <>
          <Loading label="Loading projects" />
          <Placeholder height={160} radius={12} />
        </>
      )}
      {decks?.length === 0 && (
        <EmptyState
          icon={<ListTree size={26} />}
          title="No card lists yet"
          action={
            <Button component={Link} to="/decks">
              Start a project
            </Button>
          }
        >
          Make a project and import a table; every row becomes a card.
        </EmptyState>
      )}
      {decks && deck && (
        <div className={css.columns}>
          <nav aria-label="Projects" className={css.projects}>
            {decks.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                aria-current={id === deck || undefined}
                onClick={() => setParams({ deck: id })}
              >
                {name}
              </button>
            ))}
          </nav>
          <Components key={deck} deck={deck} />
        </div>
      )}
    </Page>
  );
}
