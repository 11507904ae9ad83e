import { askOwnAccount } from '@sdk/own-account';
import { getServices } from '../server/firebase.ts';
import { deviceName } from './device-name.ts';

/** A session of the account, as the account page lists it. */
export interface ListedSession {
  readonly id: string;
  /** Browser and system in words. */
  readonly device: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** Milliseconds since 1970; noted at most once a minute. */
  readonly usedAt: number;
  /** True for the session of this page. */
  readonly current: boolean;
}

interface SessionsReply {
  /** Null where the server keeps no sessions. */
  readonly sessions:
    | readonly {
        readonly id: string;
        readonly begunAt: number;
        readonly usedAt: number;
        readonly userAgent: string | null;
        readonly current: boolean;
      }[]
    | null;
}

function user() {
  const { currentUser } = getServices().auth;
  if (!currentUser) throw new Error('Your session has ended. Log in again.');
  return currentUser;
}

/** The account's sessions: this one first, then by last use. `undefined` on a server that keeps none (an emulator). */
export async function listSessions(): Promise<readonly ListedSession[] | undefined> {
  const { sessions } = await askOwnAccount<SessionsReply>(user(), 'GET', 'sessions');
  const listed = sessions?.map(({ id, begunAt, usedAt, userAgent, current }) => ({
    id,
    device: deviceName(userAgent),
    begunAt: begunAt * 1_000,
    usedAt: usedAt * 1_000,
    current,
  }));
  return listed?.sort((one, other) => Number(other.current) - Number(one.current));
}

/** Ends one session: its browser is logged out at once. */
export async function endOneSession(id: string): Promise<void> {
  await askOwnAccount(user(), 'DELETE', `sessions/${encodeURIComponent(id)}`);
}
