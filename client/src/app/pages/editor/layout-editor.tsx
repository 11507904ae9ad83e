import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, Navigate, useParams, useSearchParams } from 'react-router';
import { useUser } from '../../../data/account/session.ts';
import type { LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { keepVersion } from '../../../data/layouts/layouts.ts';
import { layoutKey } from '../../../data/opening.ts';
import { editorAddress, layoutSegment, readLayoutSegment } from '../../../data/project/layout-address.ts';
import { edits } from '../../../data/project/members.ts';
import { commitLayout } from '../../../data/project/project-contents.ts';
import { useLayout } from '../../../data/project/queries.ts';
import { whereIsLayout } from '../../../data/project/where-is.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem, Unseen } from '../../../ui/page/page.tsx';
import { OpeningGate } from '../project/opening-gate.tsx';
import {
  ProjectGate,
  RoleNote,
  useAccess,
  useLayoutSource,
  useOpenProject,
} from '../project/project-gate.tsx';
import { EditorScreen } from './editor-screen.tsx';
import { LayoutMenu } from './panels/layout/layout-menu.tsx';
import type { LayoutStore } from './state/saving/layout-store.ts';

/** `/layouts/edit/{layout}/{returnToLayouts?}`; `?component=…` names the table shown. */
export function Component() {
  const { id: segment = '', returnToLayouts } = useParams();
  const [search] = useSearchParams();
  const layout = readLayoutSegment(segment);
  const named = search.get('deck');
  if (layout.project === undefined && named !== null) {
    // As earlier versions wrote it.
    const to = editorAddress(
      layoutSegment({ ...layout, project: named }),
      search.get('component') ?? undefined,
    );
    return <Navigate replace to={to} />;
  }
  if (layout.project === undefined) return <LayoutPage key={layout.id} id={layout.id} inList />;
  return (
    <ProjectGate key={layout.project} project={layout.project}>
      <ProjectLayoutPage key={layout.id} id={layout.id} inList={returnToLayouts !== undefined} />
    </ProjectGate>
  );
}

function ProjectLayoutPage({ id, inList }: { id: string; inList: boolean }) {
  const { details, role } = useOpenProject();
  if (edits(role)) return <LayoutPage id={id} inList={inList} />;
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

/** A layout that is not at this address: earlier versions kept layouts with their owners. */
function Elsewhere({ id }: { id: string }) {
  const { uid } = useUser();
  const project = useAccess()?.project.id;
  const component = useSearchParams()[0].get('component') ?? undefined;
  const { data: found, isPending } = useQuery({
    queryKey: ['where is layout', uid, id, project],
    queryFn: () => whereIsLayout({ id, project }),
  });
  if (isPending) return <Waiting />;
  if (found && (found.id !== id || found.project !== project))
    return <Navigate replace to={editorAddress(layoutSegment(found), component)} />;
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
        It may have been deleted, or it belongs to a project that you are not a member of.
      </EmptyState>
    </Page>
  );
}

function LayoutPage({
  id,
  inList,
}: {
  id: string;
  /** It was opened from the list of layouts. */
  inList: boolean;
}) {
  const [search] = useSearchParams();
  const project = useAccess()?.project;
  const source = useLayoutSource();
  const layout = useMemo(() => source.layout(id), [source, id]);
  const store = useMemo(
    (): LayoutStore => ({
      id: layout.id,
      commit: (make) => commitLayout(layout, make, project),
      keepVersion: (scene) => keepVersion(layout, scene),
    }),
    [layout, project],
  );
  const { data, error } = useLayout(layout);
  // The editor starts from the first version seen; later ones come to it as changes from elsewhere.
  const [first, setFirst] = useState<WithId<LayoutDocument>>();
  useEffect(() => {
    if (data && first?.id !== data.id) setFirst(data);
  }, [data, first]);

  const component = search.get('component');
  const back =
    inList || !project ? '/layouts' : `/decks/${project.id}${component ? `?component=${component}` : ''}`;

  if (data === null) return <Elsewhere id={id} />;
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
      store={store}
      initial={first}
      stored={data}
      project={project}
      component={component ?? undefined}
      back={back}
      menu={(context) => <LayoutMenu stored={data} {...context} />}
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
