/** Accounts beyond what Firebase has: the list of sessions, recovery codes, and what a page does before a session ends. */

import type { Auth, FinishSession } from './auth/auth-impl.ts';
import { impl } from './auth/handle.ts';

export type { SessionEnd } from './auth/auth-impl.ts';
export { askOwnAccount } from './auth/manage.ts';
export { recoveryCodeAssertion } from './auth/multi-factor.ts';

/** Has `finish` settle before the user is taken from this page by another tab, or by the end of the session. */
export function finishBeforeEnd(auth: Auth, finish: FinishSession): void {
  impl(auth).finish = finish;
}
