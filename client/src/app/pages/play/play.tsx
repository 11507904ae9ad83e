import { Button } from '@mantine/core';
import { ArrowLeft, DoorClosed, Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useGuest } from '../../../data/account/session.ts';
import type { Connected } from '../../../data/play/connection.ts';
import { useListedTable } from '../../../data/play/tables.ts';
import { isRefusal } from '../../../data/server/messages.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import bar from '../../../ui/toolbar/toolbar.module.css';
import { useThingTitle } from '../../shell/document-title.ts';
import { PlayScreen } from './play-screen.tsx';
import { useOwnLanguage } from './table-language.tsx';
import { useConnection } from './use-table.ts';

/** Words for reasons of the server that are no fault of the table. */
const WAITS: Readonly<Record<string, string>> = {
  full: 'This table has as many people watching as it can have. Close another window of it, or wait until somebody leaves.',
  busy: 'This server has as many tables in play as it can hold. Your browser keeps trying.',
  'owner-busy':
    'This project’s owner has as many tables in play as this server allows. Leave one of them, or wait.',
  'samples-busy':
    'This server has as many sample tables in play as it allows. Each ends an hour after it was opened.',
  'signed-out': 'Your session has ended. Log in again.',
  restart: 'The server is starting again.',
};

/** Words for reasons that do not pass by themselves. */
const CLOSED: Readonly<Record<string, readonly [title: string, words: string]>> = {
  'not-found': [
    'This table is not open to you',
    'It may have been deleted, or you are not a member of its project. Ask its owner to invite you, or its host for the code.',
  ],
  out: [
    'The host has removed you',
    'You cannot come back to this table, with its code or otherwise, unless the host allows it.',
  ],
  locked: [
    'This table is locked',
    'Nobody new can join while it is locked. Ask the host to unlock it, then reload the page.',
  ],
};
const CLOSED_OTHERWISE = [
  'The connection to the table ended',
  'The server closed the connection. Reload the page; if that does not help, the page may be older than the server.',
] as const;

/** The way back: guests have no list of tables. */
function Back() {
  const guest = useGuest();
  return (
    <Link to={guest ? '/join' : '/playtesting'}>
      <ArrowLeft size={15} aria-hidden /> {guest ? 'Join a table' : 'Tables'}
    </Link>
  );
}

/** `/playtesting/{owner}/{table}` */
export function Component() {
  const { sessionID: table = '' } = useParams();
  return <Playtest key={table} table={table} />;
}

function Playtest({ table }: { table: string }) {
  const { connection, connected } = useConnection(table);
  const guest = useGuest();
  const name = connected.you.table || undefined;
  useThingTitle(name);
  const { view, menu } = useOwnLanguage(connected.view);
  if (connected.status === 'closed') return <Closed connected={connected} />;
  if (!view || (connected.status !== 'open' && connected.why === 'let-in'))
    return <Waiting connected={connected} />;
  return (
    <PlayScreen
      connection={connection}
      connected={connected}
      view={view}
      language={menu}
      name={name ?? 'Table'}
      table={table}
      above={guest ? <LeaveAsGuest /> : <ToProject table={table} />}
    />
  );
}

function ToProject({ table }: { table: string }) {
  const { data: listed, error } = useListedTable(table);
  const project = isRefusal(error) ? undefined : listed?.projectId;
  const isKnown = project !== undefined;
  return (
    <Link
      to={isKnown ? `/decks/${project}` : '/playtesting'}
      className={bar.tool}
      aria-label={isKnown ? 'Back to the project' : 'Back to the tables'}
    >
      <ArrowLeft size={17} aria-hidden />
    </Link>
  );
}

function LeaveAsGuest() {
  return (
    <Link to="/join" className={bar.tool} aria-label="Leave the table">
      <ArrowLeft size={17} aria-hidden />
    </Link>
  );
}

/** The page while its table is not there yet, or not any more. @param above the way back */
export function Waiting({
  connected: { status, why },
  above = <Back />,
}: {
  connected: Pick<Connected, 'status' | 'why'>;
  above?: ReactNode;
}) {
  const words = why === undefined ? undefined : WAITS[why];
  if (why === 'let-in') return <WaitingForHost />;
  return (
    <Page title="Playtesting" above={above}>
      {status === 'waiting' && (
        <Problem title={words ?? 'The table cannot be reached right now.'}>
          Your browser keeps trying.
        </Problem>
      )}
      <Loading label="Loading the table" />
      <Placeholder height={420} radius={16} />
    </Page>
  );
}

function WaitingForHost() {
  return (
    <Page title="Playtesting" above={<Back />}>
      <EmptyState icon={<Hourglass size={26} />} title="Waiting for the host">
        <span role="status">
          The host has been asked to let you in. The table opens here as soon as they do.
        </span>
      </EmptyState>
    </Page>
  );
}

function Closed({ connected: { why } }: { connected: Connected }) {
  const guest = useGuest();
  const [title, words] = CLOSED[why ?? ''] ?? CLOSED_OTHERWISE;
  return (
    <Page title="Playtesting" above={<Back />}>
      <EmptyState
        icon={<DoorClosed size={26} />}
        title={title}
        action={
          <Button component={Link} to={guest ? '/join' : '/playtesting'}>
            {guest ? 'Join another table' : 'To your tables'}
          </Button>
        }
      >
        {words}
      </EmptyState>
    </Page>
  );
}
