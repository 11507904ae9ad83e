import { Button } from '@mantine/core';
import { ArrowLeft, DoorClosed } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { isRefusal } from '../../../data/messages.ts';
import type { Connected } from '../../../data/play/connection.ts';
import { useListedTable } from '../../../data/play/tables.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { useThingTitle } from '../../shell/document-title.ts';
import { PlayScreen } from './play-screen.tsx';
import { useConnection } from './use-table.ts';

/** Words for reasons of the server that are no fault of the table. */
const WAITS: Readonly<Record<string, string>> = {
  full: 'As many people watch this table as can. Close another window of it, or wait until somebody leaves.',
  busy: 'This server has as many tables in play as it can hold. It tries again by itself.',
  'signed-out': 'Your session has ended. Log in again.',
  restart: 'The server is starting again.',
};

const back = (
  <Link to="/playtesting">
    <ArrowLeft size={15} aria-hidden /> Tables
  </Link>
);

/** `/playtesting/{owner}/{table}` */
export function Component() {
  const { sessionID: table = '' } = useParams();
  return <Playtest key={table} table={table} />;
}

function Playtest({ table }: { table: string }) {
  const { connection, connected } = useConnection(table);
  const { data: listed, error } = useListedTable(table);
  const name = listed?.name;
  useThingTitle(name);
  const { view } = connected;
  if (connected.status === 'closed') return <Closed connected={connected} />;
  if (!view) return <Waiting connected={connected} />;
  const toProject = listed && !isRefusal(error) ? `/decks/${listed.projectId}` : '/playtesting';
  return (
    <PlayScreen
      connection={connection}
      connected={connected}
      view={view}
      name={name ?? 'Table'}
      above={
        <Link
          to={toProject}
          className={bar.tool}
          aria-label={listed ? 'Back to the project' : 'Back to the tables'}
        >
          <ArrowLeft size={17} aria-hidden />
        </Link>
      }
    />
  );
}

function Waiting({ connected: { status, why } }: { connected: Connected }) {
  const words = why === undefined ? undefined : WAITS[why];
  return (
    <Page title="Playtesting" above={back}>
      {status === 'waiting' && (
        <Problem title={words ?? 'The table cannot be reached right now.'}>
          It is tried again by itself.
        </Problem>
      )}
      <Loading label="Loading the table" />
      <Placeholder height={420} radius={16} />
    </Page>
  );
}

function Closed({ connected: { why } }: { connected: Connected }) {
  return (
    <Page title="Playtesting" above={back}>
      <EmptyState
        icon={<DoorClosed size={26} />}
        title="This table is not open to you"
        action={
          <Button component={Link} to="/playtesting">
            To your tables
          </Button>
        }
      >
        {why === 'not-found'
          ? 'It may have been deleted, or you are no member of its project. Ask its owner to invite you, as a playtester for example.'
          : 'The server ended the connection. Reload the page; if that does not help, the page may be older than the server.'}
      </EmptyState>
    </Page>
  );
}
