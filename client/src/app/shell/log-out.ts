import { endSession } from '../../data/account/session.ts';
import { toasts } from '../../ui/toasts/engine.ts';

/** Time for which a failed log-out is shown, in milliseconds. */
const FAILURE_MS = 6_000;

/** Signs out, goes to Login and loads the page anew, so that nothing of the session is left in memory. */
export async function logOut(): Promise<void> {
  try {
    await endSession();
    location.assign('/login');
  } catch {
    toasts.show('That logout did not work properly', { type: 'error', autoCloseTime: FAILURE_MS });
  }
}
