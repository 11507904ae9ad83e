import { Button } from '@mantine/core';
import { Ellipsis, Film, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { isolated } from '../../../core/text/names.ts';
import { replayAddress } from '../../../data/play/replays.ts';
import { deleteTable, type ListedTable, versionOfTable } from '../../../data/play/tables.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { dayAndTime } from '../../../ui/dates.ts';
import menu from '../../../ui/menu/menu.module.css';
import { Menu } from '../../../ui/menu/menu.tsx';
import { Unseen } from '../../../ui/page/page.tsx';
import { SeatBadge } from '../play/people/seat-badge.tsx';
import css from './playtests.module.css';
import { ReplayWindow } from './replay-window.tsx';

export const tableAddress = ({ ownerId, id }: Pick<ListedTable, 'ownerId' | 'id'>): string =>
  `/playtesting/${ownerId}/${id}`;

/** Tables with their seats, each with the way to it. */
export function TableList({
  label,
  tables,
  mayDelete,
}: {
  label: string;
  tables: readonly (ListedTable & { readonly project?: string })[];
  /** True for tables of projects that the user owns or edits. */
  mayDelete: (table: ListedTable) => boolean;
}) {
  const [deleting, setDeleting] = useState<ListedTable>();
  const [publishing, setPublishing] = useState<string>();
  return (
    <>
      <ul className={css.tables} aria-label={label}>
        {tables.map((table) => (
          <li key={table.id}>
            <Link to={tableAddress(table)} className={css.table}>
              <strong>{table.name}</strong>
              <span className={css.facts}>
                {[
                  table.project,
                  versionOfTable(table),
                  table.createdAt > 0 && dayAndTime(table.createdAt),
                  table.status === 'ended' && 'ended',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </Link>
            <Seats table={table} />
            {table.replay && (
              <Button
                component={Link}
                to={replayAddress(table.replay.link)}
                size="compact-sm"
                variant="subtle"
                leftSection={<Film size={15} aria-hidden />}
              >
                Replay
              </Button>
            )}
            <Button component={Link} to={tableAddress(table)} size="compact-sm" variant="default">
              {table.status === 'ended' ? 'Look at it' : 'Join'}
            </Button>
            {mayDelete(table) && (
              <Menu
                label={`More for ${isolated(table.name)}`}
                className={menu.more}
                items={[
                  ...(table.status === 'ended'
                    ? [
                        {
                          label: 'Replay by link…',
                          icon: <Share2 size={15} />,
                          onSelect: () => setPublishing(table.id),
                        },
                      ]
                    : []),
                  {
                    label: 'Delete',
                    icon: <Trash2 size={15} />,
                    danger: true,
                    onSelect: () => setDeleting(table),
                  },
                ]}
              >
                <Ellipsis size={17} aria-hidden />
              </Menu>
            )}
          </li>
        ))}
      </ul>
      <ReplayWindow
        table={tables.find(({ id }) => id === publishing)}
        onClose={() => setPublishing(undefined)}
      />
      <Confirm
        open={deleting !== undefined}
        title={`Delete ${deleting ? isolated(deleting.name) : 'the table'}?`}
        action="Delete"
        describe={describeError}
        run={() => (deleting ? deleteTable(deleting.id) : Promise.resolve())}
        onClose={() => setDeleting(undefined)}
      >
        {deleting?.status === 'open'
          ? 'The game ends for everybody at the table, and nothing of it is kept.'
          : 'Nothing of this game is kept.'}
      </Confirm>
    </>
  );
}

function Seats({ table }: { table: ListedTable }) {
  const seats = Object.entries(table.seats).filter(([, { taken }]) => taken);
  const names = seats.map(([, { name }]) => name).join(', ');
  return (
    <span className={css.seats} title={names}>
      <Unseen>{names ? `At the table: ${names}` : 'Nobody sits there'}</Unseen>
      {seats.map(([no, { colour }]) => (
        <SeatBadge key={no} seat={Number(no)} colour={colour} />
      ))}
    </span>
  );
}
