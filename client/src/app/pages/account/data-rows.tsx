import { Button, PasswordInput } from '@mantine/core';
import { Download, LogOut, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteMyAccount, exportMyData, signOutEverywhere } from '../../../data/account.ts';
import { describeError } from '../../../data/messages.ts';
import { Problem } from '../../../ui/page.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import css from './account.module.css';

/** Hands a text to the browser as a file. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function DeleteAccount({ email, open, onClose }: { email: string; open: boolean; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await deleteMyAccount(password);
      location.assign('/');
    } catch (error) {
      setFailure(describeError(error));
      setBusy(false);
    }
  };
  return (
    <Popup open={open} locked={busy} onClose={onClose} title="Delete your account?">
      <form
        className={css.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        {failure && <Problem title={failure} />}
        <p>
          The account <strong>{email}</strong> goes, with every project, card, layout and setting in it. This
          cannot be undone. Export your data first if you may want it.
        </p>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PopupActions>
          <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" color={DANGER} loading={busy} disabled={password === ''}>
            Delete everything
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}

/** Getting one's data out, and getting out oneself. */
export function DataRows({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const [busy, setBusy] = useState<'export' | 'sign-out'>();
  const [count, setCount] = useState(0);
  const [deleting, setDeleting] = useState(false);
  const run = async (what: 'export' | 'sign-out', work: () => Promise<void>) => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      toasts.show(describeError(error), { type: 'error', autoCloseTime: 8_000 });
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section className={css.sheet} aria-label="Your data">
      <h2>Your data</h2>
      <div className={css.row}>
        <p className={css.grow}>
          Everything that is kept about you, as one JSON file.
          <span role="status"> {busy === 'export' && `${count} documents so far`}</span>
        </p>
        <Button
          variant="default"
          loading={busy === 'export'}
          leftSection={<Download size={16} aria-hidden />}
          onClick={() =>
            void run('export', async () => {
              setCount(0);
              download(`tuckbox-${email}.json`, await exportMyData(setCount));
            })
          }
        >
          Export my data
        </Button>
      </div>
      <div className={css.row}>
        <p className={css.grow}>Ends your sessions on every browser, this one too.</p>
        <Button
          variant="default"
          loading={busy === 'sign-out'}
          leftSection={<LogOut size={16} aria-hidden />}
          onClick={() =>
            void run('sign-out', async () => {
              await signOutEverywhere();
              location.assign('/login');
            })
          }
        >
          Sign out everywhere
        </Button>
      </div>
      {hasPassword && (
        <div className={css.row}>
          <p className={css.grow}>The account, and everything in it.</p>
          <Button
            variant="default"
            c={DANGER}
            leftSection={<Trash2 size={16} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            Delete my account
          </Button>
        </div>
      )}
      <DeleteAccount email={email} open={deleting} onClose={() => setDeleting(false)} />
    </section>
  );
}
