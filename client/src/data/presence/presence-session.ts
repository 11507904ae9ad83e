/** Shortest interval between reports of a cursor, in milliseconds. */
export const REPORT_EVERY_MS = 300;
/** Interval of a window's heartbeat while others are there, in milliseconds. */
export const HEARTBEAT_MS = 20_000;
/** A window that was silent for so long is gone, in milliseconds. */
export const EXPIRY_MS = 50_000;
/**
 * The report of a window that crashed is deleted by another that has watched it for so long without a change, in
 * milliseconds. The server lets it go after a minute. A window that is alone is silent too, but answers those who come.
 */
export const LEFT_AFTER_MS = 100_000;
/** A window that was hidden for so long goes, in milliseconds. */
export const HIDDEN_MS = 30_000;

/** Another window, as its document says. */
export interface TimedPeer {
  readonly id: string;
  /** Time of its last report, in milliseconds since 1970 by the server's clock. */
  readonly at: number;
}

/** The connection to the other windows. */
export interface PresenceTransport<Place, Peer> {
  /** Reports where this window is; `undefined` is nowhere. Settles when the server has it. */
  report(place: Place | undefined): Promise<unknown>;
  /** Deletes this window's report. */
  withdraw(): Promise<unknown>;
  /** Deletes the report of a window that is gone. */
  clear(id: string): Promise<unknown>;
  onPeers(peers: readonly Peer[]): void;
}

/**
 * This window's presence among those that show the same thing. It reports its place only while somebody is there to see
 * it: a window that is alone writes once when it comes, and again as soon as another comes, so it needs no heartbeat. A
 * hidden window is silent, and goes after a while; one that crashed is forgotten when it was silent too long, and its
 * report deleted.
 */
export class PresenceSession<Place, Peer extends TimedPeer> {
  readonly #transport: PresenceTransport<Place, Peer>;
  readonly #present = new Map<string, { peer: Peer; when: number }>();
  /** Last report of each window, also of those that are gone, and the time at which this window saw it. */
  readonly #reports = new Map<string, { readonly at: number; readonly seen: number }>();
  #place: Place | undefined;
  #lastReported = '';
  #hidden = false;
  #away = false;
  #left = false;
  #first = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hiding: ReturnType<typeof setTimeout> | undefined;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  /** A report is on its way; more than one at a time would pile up while the network is away. */
  #reporting = false;
  #again = false;

  constructor(transport: PresenceTransport<Place, Peer>) {
    this.#transport = transport;
    this.#report();
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  move(place: Place | undefined): void {
    this.#place = place;
    if (this.#present.size === 0 || JSON.stringify(place ?? null) === this.#lastReported) return;
    this.#reportIn(REPORT_EVERY_MS);
  }

  /** Takes in the documents of all other windows. */
  receive(all: readonly Peer[]): void {
    const alone = this.#present.size === 0;
    const ids = new Set(all.map(({ id }) => id));
    for (const peer of all) {
      const known = this.#reports.get(peer.id);
      const isNew = known?.at !== peer.at;
      if (isNew) this.#reports.set(peer.id, { at: peer.at, seen: Date.now() });
      // Clocks differ: after the first look, a report counts from when it was seen.
      const fresh = known ? isNew : !this.#first || Date.now() - peer.at < EXPIRY_MS;
      if (fresh) this.#present.set(peer.id, { peer, when: Date.now() });
    }
    for (const id of this.#present.keys()) if (!ids.has(id)) this.#present.delete(id);
    for (const id of this.#reports.keys()) if (!ids.has(id)) this.#reports.delete(id);
    this.#first = false;
    if (alone && this.#present.size > 0) this.#reportIn(0);
    this.#publish();
  }

  hide(): void {
    if (this.#hidden) return;
    this.#hidden = true;
    this.#hiding = setTimeout(() => {
      this.#away = true;
      this.#withdraw();
    }, HIDDEN_MS);
  }

  show(): void {
    if (!this.#hidden) return;
    this.#hidden = false;
    clearTimeout(this.#hiding);
    if (this.#away || this.#present.size > 0) {
      this.#away = false;
      this.#reportIn(0);
    }
  }

  /** Ends it: nothing is received or reported from here on. */
  leave(): void {
    if (this.#left) return;
    this.#left = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    clearTimeout(this.#hiding);
    this.#withdraw();
    this.#transport.onPeers([]);
  }

  #beat(): void {
    this.#publish();
    if (!this.#hidden) this.#clearLeft();
    if (this.#present.size > 0 && !this.#hidden) this.#report();
  }

  /** Deletes what crashed windows have left. */
  #clearLeft(): void {
    const silent = Date.now() - LEFT_AFTER_MS;
    for (const [id, { at, seen }] of this.#reports) {
      if (seen > silent) continue;
      // Once in a while: what was refused may be taken later.
      this.#reports.set(id, { at, seen: Date.now() });
      this.#transport.clear(id).catch(() => undefined);
    }
  }

  #publish(): void {
    if (this.#left) return;
    const alive = Date.now() - EXPIRY_MS;
    for (const [id, { when }] of this.#present) if (when < alive) this.#present.delete(id);
    this.#transport.onPeers([...this.#present.values()].map(({ peer }) => peer));
  }

  #reportIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.#report(), milliseconds);
  }

  #report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#left || this.#away) return;
    if (this.#reporting) {
      this.#again = true;
      return;
    }
    const place = this.#present.size > 0 ? this.#place : undefined;
    this.#lastReported = JSON.stringify(place ?? null);
    this.#reporting = true;
    // A report that was refused does no harm: the next says it again.
    const done = () => {
      this.#reporting = false;
      if (!this.#again) return;
      this.#again = false;
      this.#reportIn(REPORT_EVERY_MS);
    };
    this.#transport.report(place).then(done, done);
  }

  #withdraw(): void {
    this.#transport.withdraw().catch(() => undefined);
  }
}
