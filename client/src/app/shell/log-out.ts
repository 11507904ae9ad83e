import { endSession } from '../../data/account/session.ts';
import { saveUnsaved } from '../../data/account/unsaved-work.ts';
import { toasts } from '../../ui/toasts/engine.ts';

/** Time for which a failed log-out is shown, in milliseconds. */
const FAILURE_MS = 6_000;

/**
 * Saves what is not saved, signs out, goes to Login and loads the page anew, so that nothing of the session is left in
 * memory. Asks if something could not be saved; other windows save theirs by themselves, or ask.
 */
export async function logOut(): Promise<void> {
  if (await saveUnsaved()) return leave();
  toasts.show('Not everything here is saved yet.', {
    type: 'warning',
    autoCloseTime: 0,
    actions: [{ buttonText: 'Log out anyway', function: () => void leave() }],
  });
}

async function leave(): Promise<void> {
  try {
    await endSession();
    location.assign('/login');
  } catch {
    toasts.show('That logout did not work properly', { type: 'error', autoCloseTime: FAILURE_MS });
  }
}
