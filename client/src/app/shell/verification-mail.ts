import { sendEmailVerification } from '@sdk/auth';
import { getServices } from '../../data/firebase.ts';

const SENT_AT_KEY = 'tuckbox-verification-sent';

/** Sends the mail whose link comes back to the projects page, and remembers when. */
export async function sendVerificationMail(): Promise<void> {
  const user = getServices().auth.currentUser;
  if (!user) return;
  await sendEmailVerification(user, { url: `${location.origin}/decks` });
  sessionStorage.setItem(SENT_AT_KEY, String(Date.now()));
}

/** When this tab last sent one, in milliseconds since 1970. */
export function verificationSentAt(): number | undefined {
  const text = sessionStorage.getItem(SENT_AT_KEY);
  return text ? Number(text) : undefined;
}
