import { Button, TextInput } from '@mantine/core';
import { updateProfile } from '@sdk/auth';
import { BadgeCheck, CircleAlert, LogOut } from 'lucide-react';
import { useState } from 'react';
import { getServices } from '../../../data/firebase.ts';
import { describeError } from '../../../data/messages.ts';
import { endSession, refreshSession, useUser } from '../../../data/session.ts';
import { Page, Problem } from '../../../ui/page.tsx';
import { toasts } from '../../../ui/toasts/engine.ts';
import { sendVerificationMail } from '../../shell/verification-mail.ts';
import css from './account.module.css';

/** Longest name shown on projects. */
const MAX_NAME_LENGTH = 80;

function NameForm({ name }: { name: string }) {
  const [value, setValue] = useState(name);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    const user = getServices().auth.currentUser;
    if (!user) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await updateProfile(user, { displayName: value.trim() || null });
      refreshSession();
      toasts.show('Name saved.', { type: 'success' });
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label="Name"
        className={css.grow ?? ''}
        value={value}
        maxLength={MAX_NAME_LENGTH}
        error={failure}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md" loading={busy} disabled={value.trim() === name}>
        Save name
      </Button>
    </form>
  );
}

/** `/account` */
export function Component() {
  const user = useUser();
  const [failure, setFailure] = useState<string>();
  const since = user.createdAt
    ? new Date(user.createdAt).toLocaleDateString(undefined, { dateStyle: 'long' })
    : undefined;
  const logOut = async () => {
    try {
      await endSession();
      location.assign('/login');
    } catch {
      setFailure('That logout did not work properly');
    }
  };
  const verify = async () => {
    setFailure(undefined);
    try {
      await sendVerificationMail();
      toasts.show(`Sent to ${user.email}.`, { type: 'success' });
    } catch (error) {
      console.warn('verification mail was not sent', error);
      setFailure(describeError(error));
    }
  };
  return (
    <Page title="Account" lead={since && `A maker of cards since ${since}.`}>
      <div className={css.sheet}>
        {failure && <Problem title={failure} />}
        <NameForm name={user.displayName} key={user.displayName} />
        <div className={css.row}>
          <div className={css.grow}>
            <span className={css.label}>E-mail</span>
            <p>{user.email}</p>
          </div>
          {user.emailVerified ? (
            <span className={css.good}>
              <BadgeCheck size={18} aria-hidden /> Verified
            </span>
          ) : (
            <>
              <span className={css.warn}>
                <CircleAlert size={18} aria-hidden /> Not verified
              </span>
              <Button variant="default" onClick={() => void verify()}>
                Send link
              </Button>
            </>
          )}
        </div>
        <div className={css.row}>
          <div className={css.grow}>
            <span className={css.label}>Session</span>
            <p>You are logged in on this browser.</p>
          </div>
          <Button
            variant="default"
            leftSection={<LogOut size={16} aria-hidden />}
            onClick={() => void logOut()}
          >
            Log out
          </Button>
        </div>
      </div>
    </Page>
  );
}
