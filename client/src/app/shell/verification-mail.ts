import { sendEmailVerification } from '@sdk/auth';
import { getServices } from '../../data/server/firebase.ts';

/** Local storage's key of when the mail to an account was sent last. */
const sentAtKey = (uid: string) => `tuckbox-verification-sent:${uid}`;

/** The same for this page alone, where the browser keeps nothing. */
const unstored = new Map<string, number>();

/** Sends the mail whose link comes back to the projects page, and remembers when. */
export async function sendVerificationMail(): Promise<void> {
  const user = getServices().auth.currentUser;
  if (!user) return;
  await sendEmailVerification(user, { url: `${location.origin}/decks` });
  const now = Date.now();
  try {
    localStorage.setItem(sentAtKey(user.uid), String(now));
  } catch {
    unstored.set(user.uid, now);
  }
}

/** When this browser last sent one to the account, in milliseconds since 1970. */
export function verificationSentAt(uid: string): number | undefined {
  try {
    const text = localStorage.getItem(sentAtKey(uid));
    if (text) return Number(text);
  } catch {
    // Then this page alone remembers.
  }
  return unstored.get(uid);
}
