/** Accounts beyond what Firebase has: the list of sessions, and recovery codes. */

export { askOwnAccount } from './auth/manage.ts';
export { recoveryCodeAssertion } from './auth/multi-factor.ts';
