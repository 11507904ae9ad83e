import { Button } from '@mantine/core';
import { ArrowLeft, Table2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { Component as CardsComponent, WithId } from '../../../data/documents/documents.ts';
import { edits } from '../../../data/project/members.ts';
import { useComponents } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { OfferNote } from '../../offers/offer-note.tsx';
import { PlaytestDialog } from '../playtests/playtest-dialog.tsx';
import { BranchNote } from '../versions/branch-note.tsx';
import { ComponentView } from './component/component-view.tsx';
import { FileDrop } from './import/file-drop.tsx';
import { ImportDialog } from './import/import-dialog.tsx';
import { MembersDialog } from './members-dialog.tsx';
import { NotesDialog } from './notes-dialog.tsx';
import css from './project.module.css';
import { ProjectActions } from './project-actions.tsx';
import { ProjectGate, RoleNote, useOpenProject } from './project-gate.tsx';
import { RulebooksDialog } from './rulebooks/rulebooks-dialog.tsx';

const back = (
  <Link to="/decks">
    <ArrowLeft size={15} aria-hidden /> Projects
  </Link>
);

function ComponentTabs({
  components,
  shown,
  onShow,
}: {
  components: readonly WithId<CardsComponent>[];
  shown: string;
  onShow: (id: string) => void;
}) {
  return (
    <div className={css.tabs} role="tablist" aria-label="Components">
      {components.map((component) => (
        <button
          key={component.id}
          type="button"
          role="tab"
          aria-selected={component.id === shown}
          className={css.tab}
          onClick={() => onShow(component.id)}
        >
          {component.name} <span>{component.cardCount}</span>
        </button>
      ))}
    </div>
  );
}

/** `/decks/{id}` */
export function Component() {
  const { id = '' } = useParams();
  return (
    <ProjectGate key={id} project={id}>
      <ProjectPage />
    </ProjectGate>
  );
}

function ProjectPage() {
  const access = useOpenProject();
  const { project, details, role, original } = access;
  const { id } = project;
  const components = useComponents(project);
  const [search, setSearch] = useSearchParams();
  const [members, setMembers] = useState(false);
  const [notes, setNotes] = useState(false);
  const [rulebooks, setRulebooks] = useState(false);
  const [playing, setPlaying] = useState(false);
  const [importing, setImporting] = useState<{ file?: File } | undefined>();

  const windows = { notes: setNotes, rulebooks: setRulebooks, members: setMembers, playtest: setPlaying };

  const mayEdit = edits(role);
  // Whoever looks at a version changes nothing and meets nobody.
  const frozen = details.frozenOf !== undefined;
  const { error } = components;
  const list = components.data?.items;
  const shown = list?.find((one) => one.id === search.get('component')) ?? list?.[0];

  return (
    <Page
      above={project.inBrowser ? undefined : back}
      title={details.name}
      lead={details.description}
      actions={
        list && (
          <ProjectActions
            id={id}
            frozen={frozen}
            inBrowser={project.inBrowser}
            mayEdit={mayEdit}
            mayPlay={!frozen || edits(original.role)}
            shown={shown?.id}
            hasComponents={list.length > 0}
            onOpen={(window) => windows[window](true)}
            onAdd={() => setImporting({})}
          />
        )
      }
    >
      <RoleNote />
      <BranchNote details={details} />
      {!frozen && !project.inBrowser && <OfferNote project={project} />}
      {error && <Problem title={describeError(error)} />}
      <UnreadableNotices list={components.data?.unreadable} mayEdit={mayEdit} />
      {!list && !error && (
        <>
          <Loading label="Loading project" />
          <Placeholder height={320} radius={16} />
        </>
      )}
      {list?.length === 0 && !mayEdit && (
        <EmptyState icon={<Table2 size={26} />} title="Nothing here yet">
          Components appear here as soon as somebody adds them.
        </EmptyState>
      )}
      {list?.length === 0 && mayEdit && (
        <FileDrop onFile={(file) => setImporting({ file })}>
          <EmptyState
            icon={<Table2 size={26} />}
            title="Drop a card list here"
            action={
              <Button data-tutorial="add-component" onClick={() => setImporting({})}>
                Add component
              </Button>
            }
          >
            A CSV file with a row of column names and a row per card. Each row becomes a card of a new
            component.
          </EmptyState>
        </FileDrop>
      )}
      {list && shown && (
        <>
          {list.length > 1 && (
            <ComponentTabs
              components={list}
              shown={shown.id}
              onShow={(component) => setSearch({ component }, { replace: true })}
            />
          )}
          <ComponentView key={shown.id} project={project} component={shown} all={list} />
        </>
      )}
      <NotesDialog open={notes} project={project} onClose={() => setNotes(false)} />
      <RulebooksDialog open={rulebooks} project={project} onClose={() => setRulebooks(false)} />
      <PlaytestDialog
        open={playing}
        access={access}
        components={list ?? []}
        onClose={() => setPlaying(false)}
      />
      <MembersDialog open={members} access={access} onClose={() => setMembers(false)} />
      <ImportDialog
        project={project}
        order={(list?.[list.length - 1]?.order ?? -1) + 1}
        open={importing !== undefined}
        file={importing?.file}
        onClose={() => setImporting(undefined)}
        onDone={(component) => {
          setImporting(undefined);
          setSearch({ component }, { replace: true });
        }}
      />
    </Page>
  );
}
