import { useEffect, useState } from 'react';
import type { SessionUser } from '../../data/account/session.ts';
import { resendWait } from '../../data/account/verification.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import { sendVerificationMail, verificationSentAt } from './verification-mail.ts';

/** A button that sends the verification mail again. */
export interface Resend {
  /** True once this browser has sent one. */
  readonly sent: boolean;
  /** Seconds until it may be pressed; 0 when it may. */
  readonly wait: number;
  readonly busy: boolean;
  readonly send: () => Promise<void>;
}

/**
 * Sends the verification mail again, at most once a minute whichever page offers it. A mail that could
 * not be sent is a warning in the browser's log and no more: the button stays ready.
 *
 * @param offered whether the button shows: only then the seconds are counted
 */
export function useResend({ uid, email }: Pick<SessionUser, 'uid' | 'email'>, offered: boolean): Resend {
  const [now, setNow] = useState(Date.now);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!offered) return;
    const id = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(id);
  }, [offered]);
  const send = async () => {
    setBusy(true);
    try {
      await sendVerificationMail();
      toasts.show(`Sent to ${email}.`, { type: 'success' });
    } catch (error) {
      console.warn('verification mail was not sent', error);
    } finally {
      setNow(Date.now());
      setBusy(false);
    }
  };
  const sentAt = verificationSentAt(uid);
  return { sent: sentAt !== undefined, wait: Math.ceil(resendWait(sentAt, now) / 1000), busy, send };
}
