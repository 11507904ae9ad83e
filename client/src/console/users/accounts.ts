/** Accounts, by the operations that administrators' SDKs use. */

import { ask, server } from '../server/server.ts';

/** An account, as far as the console shows it. */
export interface Account {
  readonly localId: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly displayName?: string;
  readonly phoneNumber?: string;
  readonly photoUrl?: string;
  readonly disabled?: boolean;
  readonly createdAt?: string;
  readonly lastLoginAt?: string;
  readonly customAttributes?: string;
  readonly providerUserInfo?: readonly { readonly providerId: string; readonly rawId?: string }[];
  readonly mfaInfo?: readonly unknown[];
}

/** Writable fields. `undefined` leaves a field unchanged. */
export interface AccountChange {
  readonly localId?: string;
  readonly email?: string;
  readonly displayName?: string;
  readonly phoneNumber?: string;
  readonly password?: string;
  readonly emailVerified?: boolean;
  readonly disableUser?: boolean;
  readonly customAttributes?: string;
}

/** Most accounts fetched at once, and altogether. */
const PAGE = 500;
const MOST = 5_000;

function accounts(rest = ''): string {
  return `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(server().projectId)}/accounts${rest}`;
}

/** All accounts, the newest first. */
export async function listAccounts(): Promise<readonly Account[]> {
  const all: Account[] = [];
  let token = '';
  do {
    const page: { users?: Account[]; nextPageToken?: string } = await ask(
      accounts(`:batchGet?maxResults=${PAGE}${token && `&nextPageToken=${encodeURIComponent(token)}`}`),
    );
    all.push(...(page.users ?? []));
    token = page.nextPageToken ?? '';
  } while (token !== '' && all.length < MOST);
  return all.sort((a, b) => Number(b.createdAt ?? 0) - Number(a.createdAt ?? 0));
}

/** Makes an account; its id. */
export async function createAccount(change: AccountChange): Promise<string> {
  const { localId } = await ask<{ localId: string }>(accounts(), { json: change });
  return localId;
}

/** Changes an account. What is emptied is removed. */
export async function updateAccount(localId: string, change: AccountChange): Promise<void> {
  const deleteAttribute = change.displayName === '' ? { deleteAttribute: ['DISPLAY_NAME'] } : {};
  const deleteProvider = change.phoneNumber === '' ? { deleteProvider: ['phone'] } : {};
  const { displayName, phoneNumber, ...rest } = change;
  const kept = { ...(displayName && { displayName }), ...(phoneNumber && { phoneNumber }) };
  await ask(accounts(':update'), {
    json: { localId, ...rest, ...kept, ...deleteAttribute, ...deleteProvider },
  });
}

/** Deletes an account. */
export async function deleteAccount(localId: string): Promise<void> {
  await ask(accounts(':delete'), { json: { localId } });
}
