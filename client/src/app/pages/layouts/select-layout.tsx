import { Button } from '@mantine/core';
import { ArrowLeft, Check, Copy, LayoutTemplate, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { newLayout } from '../../../core/scene/new-layout.ts';
import { isolated } from '../../../core/text/names.ts';
import type { LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import { addToProject } from '../../../data/layouts/layouts.ts';
import { edits } from '../../../data/project/members.ts';
import { connectLayout, copyLayout, createLayout } from '../../../data/project/project-contents.ts';
import { useComponents, useLayouts, useLibraryLayouts } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { tellFailure } from '../../shell/tell-failure.ts';
import { ProjectGate, RoleNote, useOpenProject } from '../project/project-gate.tsx';
import { LayoutThumbnail, sizeOf } from './layout-thumbnail.tsx';
import css from './layouts.module.css';
import { ProjectLayouts } from './project-layouts.tsx';

function Choice({
  layout,
  connected = false,
  mayEdit,
  onConnect,
  onCopy,
}: {
  layout: WithId<LayoutDocument>;
  connected?: boolean;
  mayEdit: boolean;
  /** A layout of the library is not connected itself. */
  onConnect?: () => void;
  onCopy: () => void;
}) {
  return (
    <li className={css.tile}>
      <div className={css.picture}>
        <LayoutThumbnail layout={layout.scene} />
      </div>
      <div className={css.caption}>
        <div>
          <strong>{layout.name}</strong>
          <span>
            {sizeOf(layout.scene)}
            {connected && ', connected'}
          </span>
        </div>
      </div>
      <div className={css.choices}>
        {onConnect && (
          <Button
            size="xs"
            leftSection={<Check size={15} aria-hidden />}
            aria-label={`${connected ? 'Connected' : 'Connect'} ${layout.name}`}
            disabled={connected || !mayEdit}
            onClick={onConnect}
          >
            {connected ? 'Connected' : 'Connect'}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<Copy size={15} aria-hidden />}
          aria-label={`Connect a copy of ${isolated(layout.name)}`}
          disabled={!mayEdit}
          onClick={onCopy}
        >
          Connect a copy
        </Button>
      </div>
    </li>
  );
}

/** `/layouts/{project}/{cardType?}/{isForBack?}` */
export function Component() {
  const { deck: project = '', cardType, isForBack } = useParams();
  return (
    <ProjectGate key={project} project={project}>
      {cardType === undefined ? (
        <ProjectLayouts />
      ) : (
        <SelectLayout component={cardType} back={isForBack === 'true'} />
      )}
    </ProjectGate>
  );
}

/** Choice of a layout for the fronts or backs of a component. */
function SelectLayout({ component: cardType, back }: { component: string; back: boolean }) {
  const { project, details, role } = useOpenProject();
  const navigate = useNavigate();
  const { data: components, error: componentsError } = useComponents(project);
  const { data: layouts, error } = useLayouts(project);
  const { data: library } = useLibraryLayouts();
  const [busy, setBusy] = useState(false);
  const mayEdit = edits(role);
  const component = components?.items.find(({ id }) => id === cardType);
  const connected = back ? component?.backLayoutId : component?.layoutId;
  const front = layouts?.items.find(({ id }) => id === component?.layoutId);
  // A back must be as large as its front.
  const startSize = (back ? front?.scene.size : undefined) ?? component?.size;
  const home = `/decks/${project.id}?component=${cardType}`;

  const run = async (work: () => Promise<string>) => {
    if (busy) return;
    setBusy(true);
    try {
      await connectLayout(project, cardType, await work(), back);
      toasts.show('Connected.', { type: 'success' });
      await navigate(home);
    } catch (reason) {
      tellFailure(reason);
    } finally {
      setBusy(false);
    }
  };
  const failure = error ?? componentsError;
  const loading = (!layouts || !components) && !failure;
  return (
    <Page
      above={
        <Link to={home}>
          <ArrowLeft size={15} aria-hidden /> {details.name}
        </Link>
      }
      title={back ? 'Choose a layout for the back' : 'Choose a layout'}
      lead={
        component
          ? `For ${isolated(component.name)}. Connect a layout to share it, so that a change to it shows on every component; connect a copy to go your own way.`
          : undefined
      }
      actions={
        component && (
          <Button
            variant="default"
            loading={busy}
            disabled={!mayEdit}
            leftSection={<Plus size={17} aria-hidden />}
            onClick={() =>
              void run(() =>
                createLayout(newLayout(`${component.name}${back ? ' back' : ''}`, startSize), { project }),
              )
            }
          >
            Connect a new layout
          </Button>
        )
      }
    >
      <RoleNote />
      {failure && <Problem title={describeError(failure)} />}
      {loading && (
        <>
          <Loading label="Loading layouts" />
          <Placeholder height={260} radius={12} />
        </>
      )}
      {components && !component && <Problem title="This component is not in the project." />}
      {component && layouts?.items.length === 0 && (
        <EmptyState icon={<LayoutTemplate size={26} />} title="No layouts yet">
          Connect a new one, and draw it in the editor.
        </EmptyState>
      )}
      {component && layouts && layouts.items.length > 0 && (
        <ul className={css.grid} aria-label="Layouts">
          {layouts.items.map((layout) => (
            <Choice
              key={layout.id}
              layout={layout}
              connected={connected === layout.id}
              mayEdit={mayEdit}
              onConnect={() => void run(async () => layout.id)}
              onCopy={() => void run(() => copyLayout(layout.scene, project))}
            />
          ))}
        </ul>
      )}
      {component && library && library.items.length > 0 && (
        <section className={css.shelf}>
          <h2>Your library</h2>
          <ul className={css.grid} aria-label="Your library">
            {library.items.map((layout) => (
              <Choice
                key={layout.id}
                layout={layout}
                mayEdit={mayEdit}
                onCopy={() => void run(() => addToProject(project, layout))}
              />
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}
