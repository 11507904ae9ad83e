import { Button } from '@mantine/core';
import { reloadProfile, type SessionUser } from '../../data/account/session.ts';
import { needsVerification } from '../../data/account/verification.ts';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { logOut } from './log-out.ts';
import css from './shell.module.css';
import { useResend } from './use-resend.ts';

/** Keeps whoever has not verified the address out of the protected pages. */
export function VerificationGate({ user }: { user: SessionUser }) {
  const closed = needsVerification(user);
  const { sent, wait, busy, send } = useResend(user, closed);
  return (
    <Popup open={closed} locked title="Verify your e-mail address">
      <div className={css.gate}>
        {sent ? (
          <p>
            We sent a link to <strong>{user.email}</strong>. Open it, then refresh this page and your projects
            are here.
          </p>
        ) : (
          <p>
            The address <strong>{user.email}</strong> is not verified yet. Have a link sent to it, open the
            link, then refresh this page and your projects are here.
          </p>
        )}
        <p>
          {sent && 'No mail in sight? Look in the spam folder, or send it again. '}A server without mail keeps
          it for its operator, who reads it with <code>tuckbox outbox</code>.
        </p>
      </div>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={() => void logOut()}>
          Log out
        </Button>
        <Button variant="default" disabled={wait > 0} loading={busy} onClick={() => void send()}>
          {wait > 0 ? `Send again in ${wait} s` : sent ? 'Send again' : 'Send the link'}
        </Button>
        <Button
          data-autofocus
          onClick={() =>
            void reloadProfile()
              .catch(() => undefined)
              .then(() => location.reload())
          }
        >
          Refresh
        </Button>
      </PopupActions>
    </Popup>
  );
}
