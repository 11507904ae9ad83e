import { sendEmailVerification } from '@sdk/auth';
import { getServices } from '../../data/firebase.ts';

/** Local storage's key of when the mail to an account was sent last. */
const sentAtKey = (uid: string) => `tuckbox-verification-sent:${uid}`;

/** Sends the mail whose link comes back to the projects page, and remembers when. */
export async function sendVerificationMail(): Promise<void> {
  const user = getServices().auth.currentUser;
  if (!user) return;
  await sendEmailVerification(user, { url: `${location.origin}/decks` });
  try {
    localStorage.setItem(sentAtKey(user.uid), String(Date.now()));
  } catch {
    // Without storage nobody remembers that one was sent.
  }
}

/** When this browser last sent one to the account, in milliseconds since 1970. */
export function verificationSentAt(uid: string): number | undefined {
  try {
    const text = localStorage.getItem(sentAtKey(uid));
    return text ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}
