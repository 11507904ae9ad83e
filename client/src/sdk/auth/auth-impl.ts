import type { AppCore, AuthTokens, FirebaseApp } from '../internal/app-core.ts';
import type { AuthEndpoint } from './api.ts';
import { type StoredUser, type User, UserImpl, type UserOwner } from './user.ts';

/** An ID token is renewed this many milliseconds before it ends. */
const REFRESH_AHEAD_MS = 5 * 60_000;
/** First and longest wait before a failed renewal is tried again, in milliseconds. */
const REFRESH_RETRY_MIN_MS = 30_000;
const REFRESH_RETRY_MAX_MS = 16 * 60_000;

/** Authentication of one app. */
export interface Auth {
  readonly app: FirebaseApp;
  readonly name: string;
  readonly currentUser: User | null;
  languageCode: string | null;
  /** Resolves once it is known whether somebody is signed in. */
  authStateReady(): Promise<void>;
  signOut(): Promise<void>;
}

/** End of a session: another tab signed out or took another account, or the server ended it. */
export type SessionEnd = 'elsewhere' | 'ended';

/** Settles when a page no longer needs the user it had; `back` is aborted when the same user signs in again. */
export type FinishSession = (end: SessionEnd, back: AbortSignal) => Promise<void>;

type Observer = (user: User | null) => void;

/** The one implementation of `Auth`. */
export class AuthImpl implements Auth, UserOwner, AuthTokens {
  readonly app: FirebaseApp;
  readonly endpoint: AuthEndpoint;
  languageCode: string | null = null;
  #user: UserImpl | null = null;
  #lastUid: string | null = null;
  #ready = false;
  readonly #readyPromise: Promise<void>;
  readonly #stateObservers = new Set<Observer>();
  readonly #tokenObservers = new Set<Observer>();
  readonly #core: AppCore;
  readonly #storageKey: string;
  #cancelRefresh = () => {};
  #retryMs = REFRESH_RETRY_MIN_MS;
  /** Runs before the user is taken away. */
  finish: FinishSession | undefined;
  /** The session has ended, and the page is finishing with the tokens it still has. */
  #ending: AbortController | undefined;

  constructor(core: AppCore) {
    this.#core = core;
    this.app = core.app;
    this.endpoint = { core, origin: core.platform.origin };
    this.#storageKey = `firebase:authUser:${core.app.options.apiKey ?? ''}:${core.app.name}`;
    core.authTokens = this;
    core.platform.storage.onExternalChange(this.#storageKey, () => this.#followOtherTab());
    this.#readyPromise = Promise.resolve().then(() => this.#start());
  }

  get name(): string {
    return this.app.name;
  }

  get currentUser(): UserImpl | null {
    return this.#user;
  }

  authStateReady(): Promise<void> {
    return this.#readyPromise;
  }

  async signOut(): Promise<void> {
    await this.#readyPromise;
    this.setUser(null);
  }

  /** Signs somebody in (or out) and tells everyone. */
  setUser(user: UserImpl | null): void {
    this.#stopEnding();
    this.#user = user;
    this.#store();
    this.#retryMs = REFRESH_RETRY_MIN_MS;
    this.#scheduleRefresh();
    this.#notify();
  }

  userChanged(user: UserImpl): void {
    if (user !== this.#user) return;
    this.#store();
    this.#scheduleRefresh();
    this.#notify();
  }

  sessionEnded(user: UserImpl): void {
    if (user !== this.#user || this.#ending) return;
    if (!this.finish) {
      this.setUser(null);
      return;
    }
    this.#core.platform.storage.remove(this.#storageKey);
    this.#end('ended', this.finish);
  }

  /** Calls back now (once known) and whenever somebody signs in or out. */
  observeState(observer: Observer): () => void {
    return this.#observe(this.#stateObservers, observer);
  }

  /** Calls back now (once known) and whenever the ID token changes. */
  observeToken(observer: Observer): () => void {
    return this.#observe(this.#tokenObservers, observer);
  }

  async getToken(forceRefresh: boolean): Promise<string | null> {
    await this.#readyPromise;
    return this.#user ? this.#user.getIdToken(forceRefresh) : null;
  }

  onChange(callback: () => void): () => void {
    let known = this.#user?.idToken;
    return this.observeToken(() => {
      if (this.#user?.idToken === known) return;
      known = this.#user?.idToken;
      callback();
    });
  }

  #start(): void {
    const stored = this.#readStored();
    if (stored) this.#user = new UserImpl(this, stored);
    this.#ready = true;
    this.#lastUid = this.#user?.uid ?? null;
    this.#scheduleRefresh();
    for (const observer of [...this.#stateObservers, ...this.#tokenObservers]) observer(this.#user);
    // The stored user is good enough to start with; the server corrects it, or ends the session.
    this.#user?.reload().catch(() => undefined);
  }

  #observe(observers: Set<Observer>, observer: Observer): () => void {
    // A wrapper, so that the same function observed twice is told twice.
    const entry: Observer = (user) => observer(user);
    observers.add(entry);
    if (this.#ready) {
      void Promise.resolve().then(() => {
        if (observers.has(entry)) entry(this.#user);
      });
    }
    return () => void observers.delete(entry);
  }

  #notify(): void {
    if (!this.#ready) return;
    for (const observer of this.#tokenObservers) observer(this.#user);
    const uid = this.#user?.uid ?? null;
    if (uid === this.#lastUid) return;
    this.#lastUid = uid;
    for (const observer of this.#stateObservers) observer(this.#user);
  }

  #store(): void {
    // A renewed token does not begin anew a session that another tab has ended.
    if (this.#ending) return;
    const { storage } = this.#core.platform;
    if (this.#user) storage.set(this.#storageKey, JSON.stringify(this.#user));
    else storage.remove(this.#storageKey);
  }

  #readStored(): StoredUser | null {
    const text = this.#core.platform.storage.get(this.#storageKey);
    if (!text) return null;
    try {
      const stored = JSON.parse(text) as Partial<StoredUser>;
      if (!stored.account?.localId || !stored.idToken || !stored.refreshToken) return null;
      return stored as StoredUser;
    } catch {
      return null;
    }
  }

  #followOtherTab(): void {
    const stored = this.#readStored();
    const isSame = stored !== null && stored.account.localId === this.#user?.uid;
    if (!isSame && this.#user && this.finish) this.#end('elsewhere', this.finish);
    else this.#takeStored(stored);
  }

  #takeStored(stored: StoredUser | null): void {
    this.#stopEnding();
    if (stored && this.#user && stored.account.localId === this.#user.uid) this.#user.adopt(stored);
    else this.#user = stored ? new UserImpl(this, stored) : null;
    this.#scheduleRefresh();
    this.#notify();
  }

  /** Takes the user away when the page has finished, unless they are back by then. */
  #end(end: SessionEnd, finish: FinishSession): void {
    if (this.#ending) return;
    const ending = new AbortController();
    this.#ending = ending;
    const done = () => {
      if (this.#ending === ending) this.#takeStored(this.#readStored());
    };
    finish(end, ending.signal).then(done, done);
  }

  #stopEnding(): void {
    const ending = this.#ending;
    this.#ending = undefined;
    ending?.abort();
  }

  #scheduleRefresh(): void {
    this.#cancelRefresh();
    this.#cancelRefresh = () => {};
    const user = this.#user;
    if (!user) return;
    const wait = Math.max(0, user.expiresAt - REFRESH_AHEAD_MS - this.#core.platform.now());
    this.#cancelRefresh = this.#core.platform.setTimer(() => this.#refreshNow(user), wait);
  }

  async #refreshNow(user: UserImpl): Promise<void> {
    if (user !== this.#user) return;
    try {
      await user.getIdToken(true);
      this.#retryMs = REFRESH_RETRY_MIN_MS;
    } catch {
      if (user !== this.#user) return;
      const wait = this.#retryMs;
      this.#retryMs = Math.min(wait * 2, REFRESH_RETRY_MAX_MS);
      this.#cancelRefresh();
      this.#cancelRefresh = this.#core.platform.setTimer(() => this.#refreshNow(user), wait);
    }
  }
}
