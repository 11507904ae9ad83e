/**
 * Everything the shim takes from its surroundings, so that tests can hand it a fake network and clock.
 */
export interface Platform {
  /** The network. A request with `keepalive` is sent to its end although its page is left, if its body is short. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimer(callback: () => void, ms: number): () => void;
  /** Uniform in [0, 1). */
  random(): number;
  /** Bytes nobody can guess (document ids). */
  randomBytes(length: number): Uint8Array;
  /** Storage of the sign-in across reloads; shared by the tabs of an origin. */
  readonly storage: KeyValueStore;
  /** Calls back when the machine is on line again; the returned function stops it. */
  onOnline(callback: () => void): () => void;
  /** Scheme, host and port the services answer on, without a trailing slash. */
  readonly origin: string;
  /** This tab. */
  readonly tab: Tab;
}

/** A tab of the browser. */
export interface Tab {
  /** Storage of one tab, for as long as the tab lasts. */
  readonly storage: Pick<KeyValueStore, 'get' | 'set' | 'remove'>;
  /** The whole address of the page. */
  address(): string;
  /** Goes to another page. */
  leave(url: string): void;
}

/** The part of `Storage` the shim needs, plus changes made by other tabs. */
export interface KeyValueStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  /** Calls back when ANOTHER tab changed `key`; the returned function stops it. */
  onExternalChange(key: string, callback: () => void): () => void;
}

/** A store that lives as long as the page: used where `localStorage` is blocked. */
export function memoryStore(): KeyValueStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    onExternalChange: () => () => undefined,
  };
}

function localStore(): KeyValueStore {
  try {
    const storage = globalThis.localStorage;
    const probe = 'tuckbox:probe';
    storage.setItem(probe, '1');
    storage.removeItem(probe);
    return {
      get: (key) => storage.getItem(key),
      set: (key, value) => storage.setItem(key, value),
      remove: (key) => storage.removeItem(key),
      onExternalChange(key, callback) {
        const listener = (event: StorageEvent) => {
          if (event.key === key || event.key === null) callback();
        };
        globalThis.addEventListener('storage', listener);
        return () => globalThis.removeEventListener('storage', listener);
      },
    };
  } catch {
    // Private windows and blocked cookies: sign-in then lasts for this page.
    return memoryStore();
  }
}

function browserTab(): Tab {
  const { sessionStorage, location } = globalThis;
  return {
    storage: {
      get: (key) => sessionStorage.getItem(key),
      set: (key, value) => sessionStorage.setItem(key, value),
      remove: (key) => sessionStorage.removeItem(key),
    },
    address: () => location.href,
    leave: (url) => location.assign(url),
  };
}

/**
 * Characters of all bodies in flight that may outlive their page. A character is at most three bytes, and browsers
 * refuse more than 64 KiB of them together.
 */
const MAX_LASTING = 20_000;

/**
 * `fetch` whose requests may outlive their page: those that ask for it, and those made while the page is left, such as
 * that one's cursor is gone. Requests that are too long for it end with their page.
 */
export function lastingFetch(
  fetch: Platform['fetch'],
  events: Partial<Pick<EventTarget, 'addEventListener'>>,
) {
  let leaving = false;
  let inFlight = 0;
  const note = (now: boolean) => () => {
    leaving = now;
  };
  events.addEventListener?.('pagehide', note(true), true);
  events.addEventListener?.('pageshow', note(false), true);
  return async (url: string, init: RequestInit): Promise<Response> => {
    const size = typeof init.body === 'string' ? init.body.length : Number.POSITIVE_INFINITY;
    const keepalive = (leaving || init.keepalive === true) && inFlight + size <= MAX_LASTING;
    if (!keepalive) return fetch(url, { ...init, keepalive: false });
    inFlight += size;
    try {
      return await fetch(url, { ...init, keepalive });
    } finally {
      inFlight -= size;
    }
  };
}

/** The browser's own platform. */
export function browserPlatform(): Platform {
  return {
    fetch: lastingFetch((url, init) => globalThis.fetch(url, init), globalThis),
    now: () => Date.now(),
    setTimer(callback, ms) {
      const id = setTimeout(callback, ms);
      return () => clearTimeout(id);
    },
    random: () => Math.random(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    storage: localStore(),
    onOnline(callback) {
      globalThis.addEventListener('online', callback);
      return () => globalThis.removeEventListener('online', callback);
    },
    origin: globalThis.location.origin,
    tab: browserTab(),
  };
}
