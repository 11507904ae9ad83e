/** A mark that this browser has a trial, so that nobody opens its database to learn that there is none. */

const KEY = 'tuckbox-trial';

export function noteTrial(): void {
  try {
    localStorage.setItem(KEY, '1');
  } catch {
    // Without storage nobody is reminded of it.
  }
}

export function forgetTrial(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // It was never noted.
  }
}

/** True if somebody has tried the application in this browser, and what they made may still be there. */
export function hasTrial(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
