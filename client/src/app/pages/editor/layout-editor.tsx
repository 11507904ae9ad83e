import { Button } from '@mantine/core';
import { LayoutTemplate } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { LayoutDocument, WithId } from '../../../data/documents.ts';
import { edits } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import { layoutKey } from '../../../data/opening.ts';
import { useLayout } from '../../../data/queries.ts';
import { EmptyState, Loading, Page, Placeholder, Problem, Unseen } from '../../../ui/page.tsx';
import { OpeningGate } from '../project/opening-gate.tsx';
import {
  ProjectGate,
  RoleNote,
  useAccess,
  useLayoutSource,
  useOpenProject,
} from '../project/project-gate.tsx';
import { EditorScreen } from './editor-screen.tsx';

/** `/layouts/edit/{id}/{returnToLayouts?}`; `?deck=…&component=…` name the table shown. */
export function Component() {
  const [search] = useSearchParams();
  const project = search.get('deck');
  if (project === null) return <LayoutPage />;
  return (
    <ProjectGate key={project} project={project}>
      <ProjectLayoutPage />
    </ProjectGate>
  );
}

function ProjectLayoutPage() {
  const { details, role } = useOpenProject();
  if (edits(role)) return <LayoutPage />;
  return (
    <Page title="Layout" above={<Link to={`/decks/${details.id}`}>{details.name}</Link>}>
      <RoleNote />
    </Page>
  );
}

function Waiting() {
  return (
    <Page
      title={
        <>
          <Unseen>Layout</Unseen>
          <Placeholder width={240} height={36} />
        </>
      }
    >
      <Loading label="Loading layout" />
      <Placeholder height={480} radius={16} />
    </Page>
  );
}

function LayoutPage() {
  const { id = '', returnToLayouts } = useParams();
  const [search] = useSearchParams();
  const project = useAccess()?.project;
  const source = useLayoutSource();
  const layout = useMemo(() => source.layout(id), [source, id]);
  const { data, error } = useLayout(layout);
  // The editor starts from the first version seen; later ones come to it as changes from elsewhere.
  const [first, setFirst] = useState<WithId<LayoutDocument>>();
  useEffect(() => {
    if (data && first?.id !== data.id) setFirst(data);
  }, [data, first]);

  const component = search.get('component');
  const back =
    returnToLayouts || !project
      ? '/layouts'
      : `/decks/${project.id}${component ? `?component=${component}` : ''}`;

  if (data === null) {
    return (
      <Page title="No such layout">
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="This layout is not here"
          action={
            <Button component={Link} to="/layouts">
              To your layouts
            </Button>
          }
        >
          It may have been deleted, or it belongs to another account.
        </EmptyState>
      </Page>
    );
  }
  if (error && !first) {
    return (
      <Page title="Layout">
        <Problem title={describeError(error)} />
      </Page>
    );
  }
  if (!first || first.id !== id || !data) return <Waiting />;
  const screen = (
    <EditorScreen
      key={id}
      layout={layout}
      initial={first}
      stored={data}
      project={project}
      component={component ?? undefined}
      back={back}
    />
  );
  // A project around it has asked already.
  if (project) return screen;
  return (
    <OpeningGate id={layoutKey(id)} kind="layout" name={data.name} back={back} waiting={<Waiting />}>
      {screen}
    </OpeningGate>
  );
}
