/**
 * The trial: pages of a visitor without an account, below an address of their own. They run on a database in the browser,
 * and this page is one of them from its first moment to its last.
 */

/** Path that all addresses of the trial begin with. */
export const TRIAL_BASE = '/try';

/** Page of an account that takes the trial's project over. It is none of the trial. */
export const KEEP_PATH = '/try/keep';

/** True for an address of the trial. */
export const isTrialPath = (pathname: string): boolean =>
  /^\/try(?:\/|$)/i.test(pathname) && !/^\/try\/keep\/?$/i.test(pathname);

const isTrialPage = typeof location !== 'undefined' && isTrialPath(location.pathname);

/** True if this page belongs to the trial. */
export const inTrial = (): boolean => isTrialPage;
