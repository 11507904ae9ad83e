import { Button, NativeSelect } from '@mantine/core';
import { Images, LayoutTemplate, PanelsTopLeft, Table2 } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Component as CardsComponent, WithId } from '../../../data/documents/documents.ts';
import { frontPainter } from '../../../data/layouts/card-layout.ts';
import { sampleCells } from '../../../data/layouts/sample-row.ts';
import { editorAddress } from '../../../data/project/layout-address.ts';
import type { Project } from '../../../data/project/open-project.ts';
import {
  layoutsInUse,
  useComponents,
  useLayouts,
  useOpened,
  useProjects,
} from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { useComputedCards } from '../../../data/table/formula/use-computed-cards.ts';
import { useCardTable } from '../../../data/table/use-card-table.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { PaintedCard } from '../../painting/painted-card.tsx';
import { useFittedLayout } from '../../painting/use-group-sizes.ts';
import { projectChoices } from '../projects/project-list.ts';
import { ImageUse } from './image-use.tsx';
import css from './workspace.module.css';

const TablePane = lazy(() =>
  import('../project/table/table-pane.tsx').then(({ TablePane }) => ({ default: TablePane })),
);

/** Width of a layout's picture, in CSS pixels. */
const LAYOUT_PX = 116;

/** `/workspace`: a project's layouts, tables and images side by side. */
export function Component() {
  const { data: projects, error } = useProjects();
  const [search, setSearch] = useSearchParams();
  const list = projects?.items ?? [];
  const project = useOpened(list.find(({ id }) => id === search.get('deck')) ?? list[0]);
  return (
    <Page
      title="Workspace"
      lead="A project’s layouts, cards and images in one place."
      actions={
        project && (
          <NativeSelect
            aria-label="Project"
            className={css.chooser}
            value={project.id}
            data={projectChoices(list)}
            onChange={(event) => setSearch({ deck: event.currentTarget.value })}
          />
        )
      }
    >
      {error && <Problem title={describeError(error)} />}
      {!projects && !error && (
        <>
          <Loading label="Loading" />
          <Placeholder height={220} radius={12} />
        </>
      )}
      {projects && list.length === 0 && (
        <EmptyState
          icon={<PanelsTopLeft size={26} />}
          title="Nothing here yet"
          action={
            <Button component={Link} to="/decks">
              Start a project
            </Button>
          }
        >
          A project’s layouts, tables and images gather here as you work on them.
        </EmptyState>
      )}
      {project && <ProjectView key={project.id} project={project} />}
    </Page>
  );
}

function ProjectView({ project }: { project: Project }) {
  const { data, error } = useComponents(project);
  const [search, setSearch] = useSearchParams();
  const list = data?.items ?? [];
  const component = list.find(({ id }) => id === search.get('component')) ?? list[0];
  if (error) return <Problem title={describeError(error)} />;
  if (!data) return <Placeholder height={320} radius={12} />;
  if (!component) {
    return (
      <EmptyState
        icon={<Table2 size={26} />}
        title="This project has no cards"
        action={
          <Button component={Link} to={`/decks/${project.id}`}>
            Add a component
          </Button>
        }
      >
        A component is a set of cards with one table.
      </EmptyState>
    );
  }
  return (
    <Components
      key={component.id}
      project={project}
      all={list}
      component={component}
      onShow={(id) => setSearch({ deck: project.id, component: id })}
    />
  );
}

function Components({
  project,
  all,
  component: stored,
  onShow,
}: {
  project: Project;
  all: readonly WithId<CardsComponent>[];
  component: WithId<CardsComponent>;
  onShow: (component: string) => void;
}) {
  const layouts = useLayouts(project);
  const { table, state, error } = useCardTable(project, stored);
  const [target, setTarget] = useState<{ card: string; column: string | undefined }>();
  const component = state?.component ?? stored;
  const cards = useComputedCards(state?.cards, state?.component);
  const known = layouts.data?.items;
  const own = useMemo(() => {
    const used = new Set(layoutsInUse(all));
    return (known ?? []).filter(({ id }) => used.has(id));
  }, [all, known]);
  const scene = useFittedLayout(
    own.find(({ id }) => id === component.layoutId)?.scene,
    cards,
    component.columns,
  );
  const front = useMemo(() => scene && frontPainter(component, own, scene), [component, own, scene]);
  return (
    <div className={css.workspace}>
      <aside className={css.side} aria-label="Layouts and images">
        <section>
          <h2>
            <LayoutTemplate size={17} aria-hidden /> Layouts
          </h2>
          {own.length === 0 && <p className={css.quiet}>No component has a layout yet.</p>}
          <ul className={css.layouts}>
            {own.map(({ id, name, scene }) => (
              <li key={id}>
                <Link to={editorAddress(project.segment(id), component.id)}>
                  <PaintedCard
                    layout={scene}
                    cells={id === component.layoutId && cards?.[0] ? cards[0].cells : sampleCellsOf(scene)}
                    columns={component.columns}
                    width={LAYOUT_PX}
                    label=""
                  />
                  <span>{name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>
            <Images size={17} aria-hidden /> Images on the cards
          </h2>
          <ImageUse
            columns={component.columns}
            cards={cards ?? []}
            onGo={(card, column) => setTarget({ card, column })}
          />
        </section>
      </aside>
      <div className={css.main}>
        <div className={css.tabs} role="tablist" aria-label="Components">
          {all.map(({ id, name, cardCount }) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={id === component.id}
              onClick={() => onShow(id)}
            >
              {name} <span>{cardCount}</span>
            </button>
          ))}
        </div>
        {error && <Problem title={describeError(error)} />}
        {!state && !error && <Placeholder height={420} radius={12} />}
        {table && state && cards && (
          <Suspense fallback={<Placeholder height={420} radius={12} />}>
            <TablePane
              project={project}
              table={table}
              state={state}
              painted={cards}
              layout={scene}
              {...(front && { front })}
              target={target}
              onOpenCard={(card) => setTarget({ card, column: undefined })}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

const samples = new WeakMap<object, Record<string, string>>();

/** The same object each time, so that nothing is painted twice. */
function sampleCellsOf(scene: Parameters<typeof sampleCells>[0]): Record<string, string> {
  const known = samples.get(scene) ?? sampleCells(scene);
  samples.set(scene, known);
  return known;
}
