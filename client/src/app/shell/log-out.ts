import { endSession } from '../../data/account/session.ts';
import { toasts } from '../../ui/toasts/engine.ts';

/** Time for which a failed log-out is shown, in milliseconds. */
const FAILURE_MS = 6_000;

/** True if anything on this page would be lost by leaving it: what asks before a tab is closed answers here as well. */
function hasUnsaved(): boolean {
  // A field gives its text to the page when it is left.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

/** Signs out, goes to Login and loads the page anew, so that nothing of the session is left in memory. Asks if not everything is saved. */
export async function logOut(): Promise<void> {
  if (!hasUnsaved()) return leave();
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
