import { Button } from '@mantine/core';
import { Dices, Plus, Sparkles, SquareStack, Trash2 } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { TRASH_DAYS } from '../../../data/documents/documents.ts';
import { daysLeft, isOverdue, purge } from '../../../data/project/projects.ts';
import { type ListedProject, useAllProjects, useSharedProjects } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { hasTrial } from '../../../data/trial/mark.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { UnreadableNotices } from '../../mend/unreadable-notices.tsx';
import { MyOffers } from '../../offers/my-offers.tsx';
import { tellFailure } from '../../shell/tell-failure.ts';
import { type Filter, FilterBar } from './filter-bar.tsx';
import { MyInvitations } from './my-invitations.tsx';
import { OpenArchive } from './open-archive.tsx';
import { ProjectForm } from './project-form.tsx';
import { find, SORTS, type Sort, STATUSES, type Status, sorted, statusOf, tagsOf } from './project-list.ts';
import { type ProjectActions, projectMenu } from './project-menu.tsx';
import { ago, ProjectTile } from './project-tile.tsx';
import css from './projects.module.css';
import { PurgeDialog } from './purge-dialog.tsx';
import { SharedProjects } from './shared-projects.tsx';
import { useLongWork } from './use-long-work.ts';
import { WorkDialog } from './work-dialog.tsx';

/** Few have tried it before. */
const TrialNote = lazy(() => import('../../trial/trial-note.tsx'));

type Open =
  | { kind: 'create' }
  | { kind: 'edit'; project: ListedProject }
  | { kind: 'purge'; projects: readonly ListedProject[] }
  | undefined;

/** The filter is kept in the address, so that links and the Back button restore it. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const [params, setParams] = useSearchParams();
  const status = params.get('shelf');
  const sort = params.get('sort');
  const filter: Filter = {
    status: STATUSES.includes(status as Status) ? (status as Status) : 'active',
    sort: SORTS.some(({ id }) => id === sort) ? (sort as Sort) : 'changed',
    text: params.get('q') ?? '',
    tags: params.getAll('tag'),
  };
  const set = (next: Filter) =>
    setParams(
      [
        ...(next.status === 'active' ? [] : [['shelf', next.status] as [string, string]]),
        ...(next.sort === 'changed' ? [] : [['sort', next.sort] as [string, string]]),
        ...(next.text ? [['q', next.text] as [string, string]] : []),
        ...next.tags.map((tag): [string, string] => ['tag', tag]),
      ],
      { replace: true },
    );
  return [filter, set];
}

/** Projects that lay in the trash for their time go when their owner comes by. */
function usePurge(projects: readonly ListedProject[] | undefined): void {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!projects || done) return;
    setDone(true);
    // Projects that cannot be deleted now are tried again at the next visit.
    purge(projects.filter((project) => isOverdue(project, Date.now()))).catch(() => undefined);
  }, [projects, done]);
}

function EmptyList({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  if (filter.text || filter.tags.length > 0) {
    return (
      <div className={css.none} role="status">
        <p>Nothing here matches.</p>
        <Button variant="default" onClick={onClear}>
          Show all of them
        </Button>
      </div>
    );
  }
  const words: Readonly<Record<Status, string>> = {
    active: 'Everything you have is archived or in the trash.',
    archived: 'Nothing is archived. Archive a project to get it out of the way without losing it.',
    trash: `The trash is empty. What you put here stays for ${TRASH_DAYS} days.`,
  };
  return (
    <p className={css.none} role="status">
      {words[filter.status]}
    </p>
  );
}

/** The line under a project's name. */
function noteFor(project: ListedProject, inTrash: boolean): string {
  if (!inTrash) return `Changed ${ago(project.updatedAt)}`;
  const days = daysLeft(project, Date.now());
  return days <= 1 ? 'Goes within a day' : `Goes in ${days} days`;
}

/** `/decks` */
export function Component() {
  const { data, error } = useAllProjects();
  const shared = useSharedProjects();
  const [filter, setFilter] = useFilter();
  const [open, setOpen] = useState<Open>();
  const { work, setWork, copy, download, openFile, openSample } = useLongWork();
  const close = () => setOpen(undefined);
  const all = data?.items;
  usePurge(all);

  const text = useDeferredValue(filter.text);
  const byStatus = useMemo(() => {
    const map: Record<Status, ListedProject[]> = { active: [], archived: [], trash: [] };
    for (const project of all ?? []) map[statusOf(project)].push(project);
    return map;
  }, [all]);
  const shown = sorted(find(byStatus[filter.status], text, filter.tags), filter.sort);
  const others = shared.data?.items ?? [];
  const sharedShown = filter.status === 'active' ? sorted(find(others, text, filter.tags), filter.sort) : [];

  const inTrash = filter.status === 'trash';
  const actions: ProjectActions = {
    edit: (project) => setOpen({ kind: 'edit', project }),
    purge: (project) => setOpen({ kind: 'purge', projects: [project] }),
    copy,
    download,
  };
  const create = (
    <Button
      data-tutorial="new-project"
      leftSection={<Plus size={17} aria-hidden />}
      onClick={() => setOpen({ kind: 'create' })}
    >
      New project
    </Button>
  );
  const failure = error ?? shared.error;
  return (
    <Page
      title="Projects"
      lead="A project is one game: its decks, their cards and how they look."
      actions={
        all &&
        all.length + others.length > 0 && (
          <>
            <Button
              component={Link}
              to="/playtesting"
              variant="default"
              leftSection={<Dices size={17} aria-hidden />}
            >
              Tables
            </Button>
            {all.length > 0 && (
              <>
                <Button
                  variant="default"
                  leftSection={<Sparkles size={17} aria-hidden />}
                  onClick={openSample}
                >
                  Sample game
                </Button>
                <OpenArchive onFile={openFile} />
                {create}
              </>
            )}
          </>
        )
      }
    >
      {failure && <Problem title={describeError(failure)} />}
      {hasTrial() && (
        <Suspense fallback={null}>
          <TrialNote />
        </Suspense>
      )}
      <MyInvitations />
      <MyOffers />
      <UnreadableNotices list={data?.unreadable} />
      {!all && !error && (
        <>
          <Loading label="Loading projects" />
          <div className={css.waiting}>
            <Placeholder height={36} radius={10} />
          </div>
          <div className={css.grid}>
            {[0, 1, 2, 3].map((i) => (
              <Placeholder key={i} height={220} radius={12} />
            ))}
          </div>
        </>
      )}
      {all?.length === 0 && (
        <div className={css.begin}>
          <EmptyState
            icon={<SquareStack size={26} />}
            title="Your first game starts here"
            action={
              <span className={css.first}>
                {create}
                <Button
                  variant="default"
                  data-tutorial="sample"
                  leftSection={<Dices size={17} aria-hidden />}
                  onClick={openSample}
                >
                  Open the sample game
                </Button>
                <OpenArchive onFile={openFile} />
              </span>
            }
          >
            Make a project, drop a card list on it, and see the cards at once. You can change everything
            later.
          </EmptyState>
        </div>
      )}
      {all && all.length + others.length > 0 && (
        <FilterBar
          filter={filter}
          counts={{
            active: byStatus.active.length,
            archived: byStatus.archived.length,
            trash: byStatus.trash.length,
          }}
          tags={tagsOf([...byStatus[filter.status], ...(filter.status === 'active' ? others : [])])}
          onChange={setFilter}
        />
      )}
      {filter.status === 'trash' && byStatus.trash.length > 0 && (
        <div className={css.trashBar}>
          <p>Projects stay here for {TRASH_DAYS} days; then they are deleted when you next open this page.</p>
          <Button
            variant="default"
            leftSection={<Trash2 size={16} aria-hidden />}
            onClick={() => setOpen({ kind: 'purge', projects: byStatus.trash })}
          >
            Empty the trash
          </Button>
        </div>
      )}
      {all && all.length > 0 && shown.length === 0 && sharedShown.length === 0 && (
        <EmptyList filter={filter} onClear={() => setFilter({ ...filter, text: '', tags: [] })} />
      )}
      {shown.length > 0 && (
        <ul className={css.grid} aria-label="Projects">
          {shown.map((project) => (
            <ProjectTile
              key={project.id}
              project={project}
              note={noteFor(project, inTrash)}
              items={projectMenu(project, inTrash, actions)}
              closed={filter.status === 'trash'}
            />
          ))}
        </ul>
      )}
      <SharedProjects projects={sharedShown} onCopy={copy} onFailed={tellFailure} />
      <ProjectForm
        open={open?.kind === 'create' || open?.kind === 'edit'}
        project={open?.kind === 'edit' ? open.project : undefined}
        count={all?.length ?? 0}
        onClose={close}
      />
      <PurgeDialog projects={open?.kind === 'purge' ? open.projects : undefined} onClose={close} />
      <WorkDialog work={work} onClose={() => setWork(undefined)} />
    </Page>
  );
}
