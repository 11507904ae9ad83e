import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { describeError } from '../../data/messages.ts';
import { endSession, reloadProfile, type SessionUser } from '../../data/session.ts';
import { needsVerification, resendWait } from '../../data/verification.ts';
import { Popup, PopupActions } from '../../ui/popups/popup.tsx';
import { toasts } from '../../ui/toasts/engine.ts';
import css from './shell.module.css';
import { sendVerificationMail, verificationSentAt } from './verification-mail.ts';

/** Keeps whoever has not verified the address out of the protected pages. */
export function VerificationGate({ user }: { user: SessionUser }) {
  const closed = needsVerification(user);
  const [now, setNow] = useState(Date.now);
  const [busy, setBusy] = useState(false);
  const wait = Math.ceil(resendWait(verificationSentAt(), now) / 1000);
  useEffect(() => {
    if (!closed) return;
    const id = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(id);
  }, [closed]);

  const resend = async () => {
    setBusy(true);
    try {
      await sendVerificationMail();
      toasts.show(`Sent to ${user.email}.`, { type: 'success' });
    } catch (error) {
      console.warn('verification mail was not sent', error);
      toasts.show(describeError(error), { type: 'error', autoCloseTime: 6_000 });
    } finally {
      setNow(Date.now());
      setBusy(false);
    }
  };

  return (
    <Popup open={closed} locked title="Verify your e-mail address">
      <div className={css.gate}>
        <p>
          We sent a link to <strong>{user.email}</strong>. Open it, then refresh this page and your projects
          are here.
        </p>
        <p>
          No mail in sight? Look in the spam folder, or send it again. A server without mail keeps it in its{' '}
          <Link to="/outbox">local outbox</Link>.
        </p>
      </div>
      <PopupActions>
        <Button variant="subtle" color="gray" onClick={() => void endSession()}>
          Log out
        </Button>
        <Button variant="default" disabled={wait > 0} loading={busy} onClick={() => void resend()}>
          {wait > 0 ? `Send again in ${wait} s` : 'Send again'}
        </Button>
        <Button
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
