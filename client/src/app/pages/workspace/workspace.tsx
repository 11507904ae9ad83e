import { Button } from '@mantine/core';
import { PanelsTopLeft } from 'lucide-react';
import { Link } from 'react-router';
import { describeError } from '../../../data/messages.ts';
import { useDecks, useLayouts } from '../../../data/queries.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import css from './workspace.module.css';

/** How many of each kind are shown. */
const RECENT = 8;

/** `/workspace`: what was worked on last. */
export function Component() {
  const { data: decks, error: decksError } = useDecks();
  const { data: layouts, error: layoutsError } = useLayouts();
  const error = decksError ?? layoutsError;
  const loading = (!decks || !layouts) && !error;
  const empty = decks?.items.length === 0 && layouts?.items.length === 0;
  return (
    <Page title="Workspace" lead="What you worked on last.">
      {error && <Problem title={describeError(error)} />}
      {loading && (
        <>
          <Loading label="Loading" />
          <Placeholder height={220} radius={12} />
        </>
      )}
      {empty && (
        <EmptyState
          icon={<PanelsTopLeft size={26} />}
          title="Nothing here yet"
          action={
            <Button component={Link} to="/decks">
              Start a project
            </Button>
          }
        >
          Your projects and layouts gather here as you work on them.
        </EmptyState>
      )}
      {!empty && decks && layouts && (
        <div className={css.columns}>
          <section>
            <h2>Projects</h2>
            <ul>
              {decks.items.slice(0, RECENT).map(({ id, name }) => (
                <li key={id}>
                  <Link to={`/decks/${id}`}>{name}</Link>
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h2>Layouts</h2>
            <ul>
              {layouts.items.slice(0, RECENT).map(({ id, name }) => (
                <li key={id}>
                  <Link to={`/layouts/edit/${id}/true`}>{name}</Link>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Page>
  );
}
