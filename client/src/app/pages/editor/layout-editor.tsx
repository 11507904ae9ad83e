import { Button } from '@mantine/core';
import { LayoutTemplate } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { LayoutDocument, WithId } from '../../../data/documents.ts';
import { edits } from '../../../data/members.ts';
import { describeError } from '../../../data/messages.ts';
import { rememberLayoutOwner } from '../../../data/project-owner.ts';
import { useLayout } from '../../../data/queries.ts';
import { useUser } from '../../../data/session.ts';
import { EmptyState, Loading, Page, Placeholder, Problem, Unseen } from '../../../ui/page.tsx';
import { ProjectGate, RoleNote, useAccess } from '../project/project-gate.tsx';
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

/** A layout of a project, which may be somebody else's: then it is with the owner of the project. */
function ProjectLayoutPage() {
  const { id = '' } = useParams();
  const access = useAccess();
  const { uid } = useUser();
  if (access && !edits(access.role)) {
    return (
      <Page title="Layout" above={<Link to={`/decks/${access.project.id}`}>{access.project.name}</Link>}>
        <RoleNote />
      </Page>
    );
  }
  if (access && access.owner !== uid) rememberLayoutOwner(id, access.owner);
  return <LayoutPage />;
}

function LayoutPage() {
  const { id = '', returnToLayouts } = useParams();
  const [search] = useSearchParams();
  const { data, error } = useLayout(id);
  // The editor starts from the first version seen; later ones come to it as changes from elsewhere.
  const [first, setFirst] = useState<WithId<LayoutDocument>>();
  useEffect(() => {
    if (data && first?.id !== data.id) setFirst(data);
  }, [data, first]);

  const project = search.get('deck');
  const component = search.get('component');
  const back =
    returnToLayouts || !project
      ? '/layouts'
      : `/decks/${project}${component ? `?component=${component}` : ''}`;

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
  if (!first || first.id !== id || !data) {
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
  return (
    <EditorScreen
      key={id}
      id={id}
      initial={first}
      stored={data}
      project={project ?? undefined}
      component={component ?? undefined}
      back={back}
    />
  );
}
