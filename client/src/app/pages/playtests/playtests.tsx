import { Button } from '@mantine/core';
import { Dices } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../../data/account/session.ts';
import { type ListedTable, useOwnTables, useProjectTables } from '../../../data/play/tables.ts';
import { edits, roleOf, sees } from '../../../data/project/members.ts';
import { type ListedProject, useProjects, useSharedProjects } from '../../../data/project/queries.ts';
import { describeError } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import css from './playtests.module.css';
import { type PlayedProject, Results } from './results.tsx';
import { TableList } from './table-list.tsx';

/** Projects of others whose tables are looked up, those that changed last. */
const MAX_SHARED = 30;

/** `/playtesting`: one's own tables, and those of projects one is a member of. */
export function Component() {
  const { uid } = useUser();
  const own = useOwnTables();
  const mine = useProjects();
  const shared = useSharedProjects();
  const others = useMemo(() => shared.data?.items.slice(0, MAX_SHARED) ?? [], [shared.data]);
  const [found, setFound] = useState<ReadonlyMap<string, readonly ListedTable[]>>(new Map());
  const onTables = useCallback(
    (project: string, tables: readonly ListedTable[]) =>
      setFound((known) => new Map(known).set(project, tables)),
    [],
  );
  const projects = useMemo(
    () => new Map([...(mine.data?.items ?? []), ...others].map((project) => [project.id, project])),
    [mine.data, others],
  );
  const tables = useMemo(() => {
    const all = new Map([...(own.data ?? []), ...[...found.values()].flat()].map((one) => [one.id, one]));
    return [...all.values()]
      .sort((a, b) => b.createdAt - a.createdAt)
      .map((table) => {
        const project = projects.get(table.projectId)?.name;
        return { ...table, ...(project && { project }) };
      });
  }, [own.data, found, projects]);
  const mayDelete = (table: ListedTable): boolean => {
    const project = projects.get(table.projectId);
    return table.ownerId === uid || edits(project && roleOf(project, uid));
  };
  const failure = own.error ?? shared.error;
  const loading = (!own.data || !shared.data) && !failure;
  const open = tables.filter(({ status }) => status === 'open');
  const ended = tables.filter(({ status }) => status === 'ended');
  const played = useMemo(() => playedProjects(tables, projects, uid), [tables, projects, uid]);
  return (
    <Page
      title="Playtest tables"
      lead="Tables of your projects, and of those whose people have invited you."
      actions={
        <Button component={Link} to="/decks" variant="default">
          To your projects
        </Button>
      }
    >
      {others.map((project) => (
        <TablesOf key={project.id} project={project} onTables={onTables} />
      ))}
      {failure && <Problem title={describeError(failure)} />}
      {loading && (
        <>
          <Loading label="Loading tables" />
          <Placeholder height={180} radius={12} />
        </>
      )}
      {!loading && tables.length === 0 && !failure && (
        <EmptyState
          icon={<Dices size={26} />}
          title="No table yet"
          action={
            <Button component={Link} to="/decks">
              Choose a project
            </Button>
          }
        >
          Open a project and press Playtest: its decks, boards and dice come to a table where others can sit
          down.
        </EmptyState>
      )}
      {open.length > 0 && (
        <section className={css.section}>
          <h2>Open</h2>
          <TableList label="Open tables" tables={open} mayDelete={mayDelete} />
        </section>
      )}
      {ended.length > 0 && (
        <section className={css.section}>
          <h2>Ended</h2>
          <TableList label="Ended tables" tables={ended} mayDelete={mayDelete} />
        </section>
      )}
      <Results projects={played} />
    </Page>
  );
}

/** Projects whose cards the user sees, with games that have ended; the one that was played last comes first. */
function playedProjects(
  tables: readonly ListedTable[],
  projects: ReadonlyMap<string, ListedProject>,
  uid: string,
): PlayedProject[] {
  const ended = tables.filter(({ status }) => status === 'ended').map(({ projectId }) => projectId);
  return [...new Set(ended)].flatMap((id) => {
    const project = projects.get(id);
    const role = project && roleOf(project, uid);
    if (!project || !sees(role)) return [];
    return [{ id, owner: project.owner, name: project.name, edits: edits(role) }];
  });
}

/** Follows the tables of a project of somebody else’s. */
function TablesOf({
  project,
  onTables,
}: {
  project: ListedProject;
  onTables: (project: string, tables: readonly ListedTable[]) => void;
}) {
  const { data, error } = useProjectTables(project.id);
  useEffect(() => {
    // A project that one was just taken out of lists nothing.
    if (data ?? error) onTables(project.id, data?.items ?? []);
  }, [project.id, data, error, onTables]);
  return null;
}
