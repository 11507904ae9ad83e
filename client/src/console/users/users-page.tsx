import { Button } from '@mantine/core';
import { Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Problem } from '../../ui/page/page.tsx';
import { Popup } from '../../ui/popups/popup.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import { Confirm } from '../parts/confirm.tsx';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { type Column, Rows } from '../parts/rows.tsx';
import { CopyButton, Facts, IconButton, Tag } from '../parts/small.tsx';
import { when } from '../parts/units.ts';
import { words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { AccountForm } from './account-form.tsx';
import { type Account, deleteAccount, listAccounts } from './accounts.ts';
import css from './users.module.css';

/** Polling interval of the accounts, in milliseconds: there is no stream of them. */
const EVERY_MS = 3_000;

function providers({ providerUserInfo = [] }: Account): string {
  return providerUserInfo.map(({ providerId }) => providerId).join(', ') || 'anonymous';
}

const millis = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const COLUMNS: readonly Column<Account>[] = [
  { name: 'E-mail', cell: ({ email, phoneNumber }) => email ?? phoneNumber ?? '–' },
  { name: 'Name', cell: ({ displayName }) => displayName ?? '' },
  { name: 'Signs in by', width: 108, cell: providers },
  { name: 'Id', width: 240, code: true, cell: ({ localId }) => localId },
  {
    name: 'State',
    width: 92,
    cell: ({ disabled, emailVerified }) =>
      disabled ? <Tag tone="bad">disabled</Tag> : emailVerified ? <Tag tone="good">verified</Tag> : null,
  },
];

/** Beside the details of one there is room for these. */
const FEW_COLUMNS = COLUMNS.filter(({ name }) => name !== 'Name' && name !== 'Id');

function Details({ account, onDone }: { account: Account; onDone: () => void }) {
  return (
    <>
      <Facts
        facts={[
          [
            'Id',
            <>
              <code>{account.localId}</code>{' '}
              <CopyButton key="copy" text={account.localId} label="Copy the id" />
            </>,
          ],
          ['Signs in by', providers(account)],
          ['Made', when(millis(account.createdAt))],
          ['Last sign-in', when(millis(account.lastLoginAt)) || 'never'],
          ...(account.mfaInfo?.length ? [['Second factors', String(account.mfaInfo.length)] as const] : []),
        ]}
      />
      <AccountForm key={account.localId} account={account} onDone={onDone} />
    </>
  );
}

/** Users: who there is, and everything about one. */
export function Component() {
  const { uid } = useParams();
  const navigate = useNavigate();
  const { data, error, refresh } = useAsk('accounts', listAccounts, EVERY_MS);
  const [text, setText] = useState('');
  const [dialog, setDialog] = useState<'new' | 'delete'>();
  const wanted = text.trim().toLowerCase();
  const rows = data?.filter(({ localId, email, displayName, phoneNumber }) =>
    [localId, email, displayName, phoneNumber].some((field) => field?.toLowerCase().includes(wanted)),
  );
  const chosen = data?.find(({ localId }) => localId === uid);
  return (
    <ConsolePage
      title="Users"
      lead={data && `${data.length} ${data.length === 1 ? 'account' : 'accounts'}`}
      actions={
        <>
          <input
            className={css.filter}
            type="search"
            data-filter
            aria-label="Show users with"
            placeholder="E-mail, name or id"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            size="compact-sm"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setDialog('new')}
          >
            New user
          </Button>
        </>
      }
    >
      <Panes columns={uid === undefined ? 'minmax(0, 1fr)' : 'minmax(0, 1.7fr) minmax(320px, 1fr)'}>
        <Pane label="Users">
          {error !== undefined && !data && <Problem title={words(error)} />}
          {rows?.length === 0 ? (
            <Quiet icon={<Users size={30} />} title={wanted === '' ? 'Nobody yet' : 'Nobody is called that'}>
              {wanted === ''
                ? 'Who signs up appears here. Or make a user yourself.'
                : 'Change the filter to see others.'}
            </Quiet>
          ) : (
            (data || error === undefined) && (
              <Rows
                label="Users"
                columns={uid === undefined ? COLUMNS : FEW_COLUMNS}
                rows={rows}
                keyOf={({ localId }) => localId}
                chosen={uid}
                onChoose={({ localId }) => void navigate(`/users/${encodeURIComponent(localId)}`)}
                onDelete={() => setDialog('delete')}
                tone={({ disabled }) => (disabled ? 'bad' : undefined)}
              />
            )
          )}
        </Pane>
        {uid !== undefined && (
          <Pane
            label="User"
            padded
            head={
              <>
                <h2>{chosen?.displayName ?? chosen?.email ?? uid}</h2>
                <IconButton
                  label="Delete this user"
                  danger
                  disabled={!chosen}
                  onClick={() => setDialog('delete')}
                >
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              </>
            }
          >
            {chosen ? (
              <Details account={chosen} onDone={refresh} />
            ) : (
              data && <Quiet title="There is no such user">The account was deleted.</Quiet>
            )}
          </Pane>
        )}
      </Panes>
      <Popup open={dialog === 'new'} onClose={() => setDialog(undefined)} title="New user">
        <AccountForm
          onDone={(localId) => {
            setDialog(undefined);
            refresh();
            void navigate(`/users/${encodeURIComponent(localId)}`);
          }}
        />
      </Popup>
      <Confirm
        open={dialog === 'delete' && chosen !== undefined}
        title="Delete this user?"
        action="Delete user"
        onClose={() => setDialog(undefined)}
        run={async () => {
          await deleteAccount(chosen?.localId ?? '');
          toasts.show('The user is deleted', { type: 'success' });
          refresh();
          void navigate('/users');
        }}
      >
        {chosen?.email ?? chosen?.localId} can sign in no more. Documents and files stay.
      </Confirm>
    </ConsolePage>
  );
}
