import { Button } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { signOutElsewhere, signOutEverywhere } from '../../../data/account/account.ts';
import type { SessionUser } from '../../../data/account/session.ts';
import { SignInCancelled } from '../../../data/account/sign-in-again.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Popup, PopupActions } from '../../../ui/popups/popup.tsx';
import { DANGER } from '../../../ui/theme/theme.ts';
import { toasts } from '../../../ui/toasts/engine.ts';
import { logOut } from '../../shell/log-out.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import css from './account.module.css';
import { SessionList } from './session-list.tsx';

/** A question before sessions end; `act` may fail with words. */
function EndSessions({
  open,
  title,
  words,
  asksPassword,
  onClose,
  act,
}: {
  open: boolean;
  title: string;
  words: string;
  asksPassword: boolean;
  onClose: () => void;
  act: (password: string) => Promise<void>;
}) {
  const [password, setPassword] = useState('');
  const { busy, failure, submit } = useSubmit(
    async () => {
      try {
        await act(password);
        onClose();
      } finally {
        setPassword('');
      }
    },
    (error) => (error instanceof SignInCancelled ? undefined : describeError(error)),
  );
  return (
    <Popup open={open} locked={busy} onClose={onClose} title={title}>
      <form className={css.question} onSubmit={submit}>
        {failure && <Problem title={failure} />}
        <p>{words}</p>
        {asksPassword && (
          <PasswordField
            label="Password"
            data-autofocus
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        <PopupActions>
          <Button variant="subtle" color="gray" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color={DANGER} loading={busy} disabled={asksPassword && password === ''}>
            Sign out
          </Button>
        </PopupActions>
      </form>
    </Popup>
  );
}

/** This session, and how to end the others. */
export function Sessions({ user }: { user: SessionUser }) {
  const [ending, setEnding] = useState<'elsewhere' | 'everywhere'>();
  const hasPassword = user.providers.includes('password');
  const close = () => setEnding(undefined);
  return (
    <>
      <div className={css.row}>
        <div className={css.grow}>
          <span className={css.label}>This browser</span>
          <p>You are logged in here.</p>
        </div>
        <Button
          variant="default"
          leftSection={<LogOut size={16} aria-hidden />}
          onClick={() => void logOut()}
        >
          Log out
        </Button>
      </div>
      <div className={css.row}>
        <div className={css.whole}>
          <span className={css.label}>Browsers and devices</span>
          <SessionList />
        </div>
        <div className={css.buttons}>
          {hasPassword && (
            <Button variant="default" onClick={() => setEnding('elsewhere')}>
              Sign out everywhere else
            </Button>
          )}
          <Button variant="default" onClick={() => setEnding('everywhere')}>
            Sign out everywhere
          </Button>
        </div>
      </div>
      <EndSessions
        open={ending === 'elsewhere'}
        title="Sign out everywhere else?"
        words="Every other browser and device is logged out, at once. You stay logged in here."
        asksPassword
        onClose={close}
        act={async (password) => {
          await signOutElsewhere(password);
          toasts.show('Logged out everywhere else.', { type: 'success', autoCloseTime: 4_000 });
        }}
      />
      <EndSessions
        open={ending === 'everywhere'}
        title="Sign out everywhere?"
        words="Every browser and device is logged out at once, this one too."
        asksPassword={false}
        onClose={close}
        act={async () => {
          await signOutEverywhere();
          location.assign('/login');
        }}
      />
    </>
  );
}
