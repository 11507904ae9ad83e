import { Button } from '@mantine/core';
import { ArrowLeft, LayoutTemplate } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { newLayout } from '../../../core/scene/new-layout.ts';
import type { Component as CardComponent, WithId } from '../../../data/documents/documents.ts';
import { edits } from '../../../data/project/members.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { useComponents, useLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { WhoSees } from '../../transfers/who-sees.tsx';
import { RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { useChoosing } from './choosing.tsx';
import { useLayoutDialogs } from './layout-dialogs.tsx';
import { LayoutTile } from './layout-tile.tsx';
import css from './layouts.module.css';
import { useNewLayout } from './new-layout.tsx';
import type { Shelf } from './shelf.ts';

/** Parts for a damaged layout that has lost its own. */
const LIKE = { name: 'Unnamed', version: 1, scene: newLayout('Unnamed') };

/** Ways to the choice of a layout for each component. */
function ComponentChoice({
  project,
  components,
}: {
  project: Project;
  components: readonly WithId<CardComponent>[];
}) {
  if (components.length === 0) {
    return (
      <EmptyState
        icon={<LayoutTemplate size={26} />}
        title="No components yet"
        action={
          <Button component={Link} to={`/decks/${project.id}`}>
            To the project
          </Button>
        }
      >
        A layout shows the cards of a component: import a card list first.
      </EmptyState>
    );
  }
  return (
    <ul className={css.components} aria-label="Components">
      {components.map(({ id, name, cardCount }) => (
        <li key={id}>
          <div>
            <strong>{name}</strong>
            <span>{cardCount === 1 ? '1 card' : `${cardCount} cards`}</span>
          </div>
          <Button
            component={Link}
            to={`/layouts/${project.id}/${id}`}
            size="xs"
            aria-label={`Front of ${name}`}
          >
            Front
          </Button>
          <Button
            component={Link}
            to={`/layouts/${project.id}/${id}/true`}
            size="xs"
            variant="default"
            aria-label={`Back of ${name}`}
          >
            Back
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** `/layouts/{project}`: the layouts of a project, and which component has which. */
export function ProjectLayouts() {
  const { project, details, role, original } = useOpenProject();
  const { data: components, error: componentsError } = useComponents(project);
  const { data: layouts, error: layoutsError } = useLayouts(project);
  const { buttons, dialog } = useNewLayout(project, false);
  const mayEdit = edits(role);
  const shelf = useMemo<Shelf>(
    () => ({
      source: project,
      project,
      details: original.details,
      title: details.name,
      mayEdit,
    }),
    [project, original.details, details.name, mayEdit],
  );
  const choosing = useChoosing((layouts?.items ?? []).map((layout) => ({ shelf, layout })));
  const { ask, dialogs } = useLayoutDialogs(choosing.transfers);
  const error = layoutsError ?? componentsError;
  return (
    <Page
      above={
        <Link to={`/decks/${project.id}`}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      title="Layouts"
      lead="A change to one shows on every component that has it."
      actions={mayEdit && layouts && layouts.items.length > 0 && buttons}
    >
      {!project.inBrowser && <WhoSees project={shelf.details} />}
      <RoleNote />
      {error && <Problem title={describeError(error)} />}
      <UnreadableNotices list={layouts?.unreadable} like={LIKE} mayEdit={mayEdit} />
      {(!layouts || !components) && !error && (
        <>
          <Loading label="Loading layouts" />
          <Placeholder height={260} radius={12} />
        </>
      )}
      {layouts?.items.length === 0 && (
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="No layouts yet"
          action={mayEdit && <span className={css.actions}>{buttons}</span>}
        >
          Draw one here, or take one of your library along: “Use in a project” on the page of your layouts.
        </EmptyState>
      )}
      {layouts && layouts.items.length > 0 && (
        <section className={css.shelf}>
          <ul className={css.grid} aria-label="Layouts">
            {layouts.items.map((layout) => (
              <LayoutTile
                key={layout.id}
                shelf={shelf}
                layout={layout}
                inList={false}
                onAsk={ask}
                choosing={choosing}
              />
            ))}
          </ul>
        </section>
      )}
      {components && (
        <section className={css.shelf}>
          <h2>Components</h2>
          <ComponentChoice project={project} components={components.items} />
        </section>
      )}
      {dialog}
      {dialogs}
      {choosing.windows}
    </Page>
  );
}
