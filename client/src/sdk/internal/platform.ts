/**
 * Everything the shim takes from its surroundings, so that tests can hand it a fake network and clock.
 */
export interface Platform {
  /** The network. */
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

/** Longest body of a request that outlives its page, in characters; browsers refuse more than 64 KiB of all of them. */
const MAX_LASTING = 16_000;

/** `fetch` by which short requests made while the page is left are still sent, such as that one's cursor is gone. */
function lastingFetch(): Platform['fetch'] {
  let leaving = false;
  const note = (now: boolean) => () => {
    leaving = now;
  };
  globalThis.addEventListener?.('pagehide', note(true), true);
  globalThis.addEventListener?.('pageshow', note(false), true);
  return (url, init) => {
    const isShort = typeof init.body === 'string' && init.body.length <= MAX_LASTING;
    return globalThis.fetch(url, leaving && isShort ? { ...init, keepalive: true } : init);
  };
}

/** The browser's own platform. */
export function browserPlatform(): Platform {
  return {
    fetch: lastingFetch(),
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
