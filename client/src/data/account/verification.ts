import type { SessionUser } from './session.ts';

/** Accounts made from this day on must verify their address. */
export const VERIFICATION_CUTOFF = Date.UTC(2025, 8, 24);
/** A verification mail can be sent again after this many milliseconds. */
export const RESEND_THROTTLE_MS = 60_000;

/** True if the locked popup blocks this user until the address is verified. */
export function needsVerification(
  user: Pick<SessionUser, 'providers' | 'emailVerified' | 'createdAt'>,
): boolean {
  return (
    user.providers.includes('password') &&
    !user.providers.some((provider) => provider.startsWith('google')) &&
    !user.emailVerified &&
    user.createdAt >= VERIFICATION_CUTOFF
  );
}

/** Milliseconds until a mail may be sent again; 0 when it may. */
export function resendWait(lastSentAt: number | undefined, now: number): number {
  return lastSentAt === undefined ? 0 : Math.max(0, lastSentAt + RESEND_THROTTLE_MS - now);
}
