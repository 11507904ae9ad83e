import { type AccountReply, type AuthEndpoint, type FactorReply, lookup, refresh } from './api.ts';
import { AuthError } from './errors.ts';

/** A token that ends within this many milliseconds counts as ended. */
export const TOKEN_LEEWAY_MS = 30_000;

/** Lifetime of an ID token if the reply has none, in seconds. */
export const DEFAULT_TOKEN_SECONDS = 3600;

/** A provider of an account. */
export interface UserInfo {
  readonly uid: string;
  readonly providerId: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly photoURL: string | null;
  readonly phoneNumber: string | null;
}

/** When an account was made and last used, as UTC strings. */
export interface UserMetadata {
  readonly creationTime?: string;
  readonly lastSignInTime?: string;
}

/** A decoded ID token. */
export interface IdTokenResult {
  readonly token: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly expirationTime: string;
}

/** A signed-in user. */
export interface User {
  readonly uid: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly photoURL: string | null;
  readonly phoneNumber: string | null;
  readonly emailVerified: boolean;
  readonly isAnonymous: boolean;
  readonly providerId: string;
  readonly providerData: readonly UserInfo[];
  readonly metadata: UserMetadata;
  readonly refreshToken: string;
  getIdToken(forceRefresh?: boolean): Promise<string>;
  getIdTokenResult(forceRefresh?: boolean): Promise<IdTokenResult>;
  reload(): Promise<void>;
}

/** Stored form of a user, which survives a reload. */
export interface StoredUser {
  account: AccountReply;
  idToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Told about every change worth keeping. */
export interface UserOwner {
  readonly endpoint: AuthEndpoint;
  userChanged(user: UserImpl): void;
  /** The session is over: sign out. */
  sessionEnded(user: UserImpl): void;
}

/** Codes after which a session cannot go on. */
const FATAL = new Set(['auth/user-token-expired', 'auth/invalid-user-token', 'auth/user-disabled']);

const utc = (ms: string | undefined) => (ms === undefined ? undefined : new Date(Number(ms)).toUTCString());

/** The one implementation of `User`. */
export class UserImpl implements User {
  readonly providerId = 'firebase';
  #stored: StoredUser;
  #refreshing: Promise<string> | undefined;
  /** The auth instance the user signed in with. */
  readonly owner: UserOwner;

  constructor(owner: UserOwner, stored: StoredUser) {
    this.owner = owner;
    this.#stored = stored;
  }

  get uid(): string {
    return this.#stored.account.localId;
  }
  get email(): string | null {
    return this.#stored.account.email ?? null;
  }
  get displayName(): string | null {
    return this.#stored.account.displayName || null;
  }
  get photoURL(): string | null {
    return this.#stored.account.photoUrl || null;
  }
  get phoneNumber(): string | null {
    return this.#stored.account.phoneNumber || null;
  }
  get emailVerified(): boolean {
    return this.#stored.account.emailVerified ?? false;
  }
  get isAnonymous(): boolean {
    return !this.#stored.account.email && (this.#stored.account.providerUserInfo?.length ?? 0) === 0;
  }
  get refreshToken(): string {
    return this.#stored.refreshToken;
  }
  get metadata(): UserMetadata {
    const creationTime = utc(this.#stored.account.createdAt);
    const lastSignInTime = utc(this.#stored.account.lastLoginAt);
    return { ...(creationTime && { creationTime }), ...(lastSignInTime && { lastSignInTime }) };
  }
  get providerData(): readonly UserInfo[] {
    return (this.#stored.account.providerUserInfo ?? []).map((provider) => ({
      uid: provider.rawId ?? provider.email ?? '',
      providerId: provider.providerId,
      email: provider.email ?? null,
      displayName: provider.displayName || null,
      photoURL: provider.photoUrl || null,
      phoneNumber: provider.phoneNumber || null,
    }));
  }

  /** The account's second factors. */
  get factors(): readonly FactorReply[] {
    return this.#stored.account.mfaInfo ?? [];
  }

  /** Milliseconds since 1970 at which the ID token ends. */
  get expiresAt(): number {
    return this.#stored.expiresAt;
  }
  /** The ID token as it stands, fresh or not. */
  get idToken(): string {
    return this.#stored.idToken;
  }

  async getIdToken(forceRefresh = false): Promise<string> {
    const { platform } = this.owner.endpoint.core;
    const fresh = this.#stored.expiresAt - TOKEN_LEEWAY_MS > platform.now();
    if (fresh && !forceRefresh) return this.#stored.idToken;
    // Callers that arrive together share one request.
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async getIdTokenResult(forceRefresh = false): Promise<IdTokenResult> {
    const token = await this.getIdToken(forceRefresh);
    const claims = decodeClaims(token);
    const seconds = typeof claims.exp === 'number' ? claims.exp : 0;
    return { token, claims, expirationTime: new Date(seconds * 1000).toUTCString() };
  }

  async reload(): Promise<void> {
    await this.#guarded(async () => {
      const account = await lookup(this.owner.endpoint, await this.getIdToken());
      // The token carries the verified flag: a stale one would keep the old answer for an hour.
      const turnedVerified = !this.emailVerified && account.emailVerified === true;
      this.update({ account });
      if (turnedVerified) await this.getIdToken(true);
    });
  }

  /** Takes over new facts and has them kept. */
  update(change: Partial<StoredUser>): void {
    this.#stored = { ...this.#stored, ...change };
    this.owner.userChanged(this);
  }

  /** Takes over what another tab has stored, without storing it again. */
  adopt(stored: StoredUser): void {
    this.#stored = stored;
  }

  /** Takes over the tokens of a reply, if it carries any. */
  takeTokens(reply: { idToken?: string; refreshToken?: string; expiresIn?: string }): void {
    if (!reply.idToken || !reply.refreshToken) return;
    const { platform } = this.owner.endpoint.core;
    this.update({
      idToken: reply.idToken,
      refreshToken: reply.refreshToken,
      expiresAt: platform.now() + Number(reply.expiresIn ?? DEFAULT_TOKEN_SECONDS) * 1000,
    });
  }

  toJSON(): StoredUser {
    return this.#stored;
  }

  #refresh(): Promise<string> {
    return this.#guarded(async () => {
      const { endpoint } = this.owner;
      const reply = await refresh(endpoint, this.#stored.refreshToken);
      this.update({
        idToken: reply.idToken,
        refreshToken: reply.refreshToken,
        expiresAt: endpoint.core.platform.now() + Number(reply.expiresIn) * 1000,
      });
      return reply.idToken;
    });
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AuthError && FATAL.has(error.code)) this.owner.sessionEnded(this);
      throw error;
    }
  }
}

/** The claims in an ID token; an unreadable token has none. */
export function decodeClaims(token: string): Record<string, unknown> {
  const payload = token.split('.')[1] ?? '';
  try {
    const binary = atob(payload.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
