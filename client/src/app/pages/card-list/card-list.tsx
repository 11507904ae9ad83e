import { Button, NativeSelect, TextInput } from '@mantine/core';
import { ListTree, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { countOf, kindOf } from '../../../core/scene/kinds.ts';
import {
  CARD_STATUSES,
  type Card,
  type Component as CardsComponent,
  type LayoutDocument,
  type WithId,
} from '../../../data/documents/documents.ts';
import { frontPainter } from '../../../data/layouts/card-layout.ts';
import type { Project } from '../../../data/project/open-project.ts';
import {
  useCards,
  useComponents,
  useLayouts,
  useOpened,
  useProjects,
} from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { useComputedCards } from '../../../data/table/formula/use-computed-cards.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { useFittedLayout } from '../../painting/use-group-sizes.ts';
import { CardGrid, cardName } from '../project/cards/card-grid.tsx';
import { projectChoices } from '../projects/project-list.ts';
import css from './card-list.module.css';

const NO_LAYOUTS: readonly WithId<LayoutDocument>[] = [];
const NO_CARDS: readonly WithId<Card>[] = [];

interface Wanted {
  readonly text: string;
  readonly status: string;
}

/** `/cardlist2`: all cards of a project, to look through and search. */
export function Component() {
  const { data, error } = useProjects();
  const [params, setParams] = useSearchParams();
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const wanted: Wanted = { text: useDeferredValue(text).trim().toLowerCase(), status };
  const projects = data?.items;
  const project = useOpened(projects?.find(({ id }) => id === params.get('deck')) ?? projects?.[0]);
  const layouts = useLayouts(project);
  const failure = error ?? layouts.error;
  return (
    <Page title="All cards" lead="Every card of a project, whatever component it belongs to.">
      {failure && <Problem title={describeError(failure)} />}
      {!projects && !failure && (
        <>
          <Loading label="Loading projects" />
          <Placeholder height={160} radius={12} />
        </>
      )}
      {projects?.length === 0 && (
        <EmptyState
          icon={<ListTree size={26} />}
          title="No cards yet"
          action={
            <Button component={Link} to="/decks">
              Start a project
            </Button>
          }
        >
          Make a project and import a table; every row becomes a card.
        </EmptyState>
      )}
      {projects && project && (
        <>
          <search className={css.bar}>
            <NativeSelect
              label="Project"
              value={project.id}
              data={projectChoices(projects)}
              onChange={(event) => setParams({ deck: event.currentTarget.value })}
            />
            <TextInput
              size="sm"
              label="Search"
              leftSection={<Search size={15} aria-hidden />}
              placeholder="Any text on a card"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <NativeSelect
              label="Status"
              value={status}
              data={[{ value: '', label: 'Any' }, ...CARD_STATUSES]}
              onChange={(event) => setStatus(event.currentTarget.value)}
            />
          </search>
          <Components
            key={project.id}
            project={project}
            wanted={wanted}
            layouts={layouts.data?.items ?? NO_LAYOUTS}
          />
        </>
      )}
    </Page>
  );
}

function Components({
  project,
  wanted,
  layouts,
}: {
  project: Project;
  wanted: Wanted;
  layouts: readonly WithId<LayoutDocument>[];
}) {
  const { data, error } = useComponents(project);
  if (error) return <Problem title={describeError(error)} />;
  if (!data) return <Placeholder height={120} radius={12} />;
  if (data.items.length === 0) return <p className={css.quiet}>This project has no components yet.</p>;
  return data.items.map((component) => (
    <Cards key={component.id} project={project} component={component} wanted={wanted} layouts={layouts} />
  ));
}

function Cards({
  project,
  component,
  wanted,
  layouts,
}: {
  project: Project;
  component: WithId<CardsComponent>;
  wanted: Wanted;
  layouts: readonly WithId<LayoutDocument>[];
}) {
  const navigate = useNavigate();
  const { data, error } = useCards(project, component.id);
  const items = data?.items;
  const all = useComputedCards(items, component) ?? NO_CARDS;
  const own = layouts.find(({ id }) => id === component.layoutId)?.scene;
  const layout = useFittedLayout(own, all, component.columns);
  const front = useMemo(
    () => (layout ? frontPainter(component, layouts, layout) : undefined),
    [component, layouts, layout],
  );
  const { text, status } = wanted;
  const found = useMemo(
    () =>
      all.filter(
        (card) =>
          (status === '' || card.status === status) &&
          (text === '' || Object.values(card.cells).some((cell) => cell.toLowerCase().includes(text))),
      ),
    [all, text, status],
  );
  const open = (card: string) => void navigate(`/decks/${project.id}?component=${component.id}&card=${card}`);
  return (
    <section className={css.component} aria-label={component.name}>
      <header>
        <h2>
          <Link to={`/decks/${project.id}?component=${component.id}`}>{component.name}</Link>
        </h2>
        <span role="status">
          {found.length < all.length && `${found.length} of `}
          {countOf(kindOf(component.kind), all.length)}
        </span>
        {layout && all.length > 0 && (
          <Link className={css.more} to={`/flashcards/${project.id}/${component.id}`}>
            Flashcards
          </Link>
        )}
      </header>
      {error && <Problem title={describeError(error)} />}
      {!items && !error && <Placeholder height={200} radius={12} />}
      {items && found.length === 0 && (
        <p className={css.quiet}>{all.length === 0 ? 'No cards yet.' : 'No card here matches.'}</p>
      )}
      {found.length > 0 &&
        (layout && front ? (
          <CardGrid
            cards={found}
            columns={component.columns}
            layout={layout}
            front={front}
            onOpen={({ id }) => open(id)}
          />
        ) : (
          <ul className={css.plain}>
            {found.map((card) => (
              <li key={card.id}>
                <button type="button" onClick={() => open(card.id)}>
                  {cardName(card, component.columns)}
                </button>
              </li>
            ))}
          </ul>
        ))}
    </section>
  );
}
