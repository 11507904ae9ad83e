import type {
  Act,
  Admission,
  CardNews,
  Patch,
  People,
  Ping,
  Pointer,
  SeatNo,
  ServerMessage,
  You,
} from '../../core/play/protocol/messages.ts';
import { foreseen } from '../../core/play/view/foreseen.ts';
import { patched, type TableView, viewOfState } from '../../core/play/view/view.ts';
import type { OpenTransport, Transport } from './transport.ts';

/** Pauses before another attempt, in milliseconds; the last one repeats. */
export const BACK_OFF_MS = [400, 1_000, 2_000, 4_000, 8_000, 15_000] as const;

/** Pause before the next look whether the host has said yes, in milliseconds. */
export const LET_IN_MS = 2_000;

/** So many sockets in a row that never said a word: they are blocked, and calls take their place. */
const BLOCKED_AFTER = 3;

/** A newer token is sent this often, in milliseconds; tokens last an hour. */
const TOKEN_EVERY_MS = 10 * 60_000;

/** Least time between two messages of the own pointer, in milliseconds. */
const POINTER_EVERY_MS = 60;

/** Pointers come late: what a seat drags so soon after its act it has let go, in milliseconds. */
const LETS_GO_MS = 150;

/** Pointers that did not move for so long are not shown, in milliseconds. */
export const POINTER_FADES_MS = 4_000;

/** Time that a place is shown, in milliseconds. */
export const PING_FADES_MS = 2_500;
/** Places shown at once: each seat has a few. */
const MAX_PINGS = 24;

export type Outcome =
  | { readonly ok: true; readonly n: number }
  | { readonly ok: false; readonly code: string; readonly say: string };

export interface Connected {
  readonly status: 'connecting' | 'open' | 'waiting' | 'closed';
  /** Over a socket, or by calls where sockets are blocked. */
  readonly over: 'socket' | 'calls';
  /** The server's reason for which it is closed or waits. */
  readonly why?: string | undefined;
  /** The table with what the own acts will do to it, as far as that is foreseen. */
  readonly view?: TableView;
  readonly people: People;
  readonly you: You;
  /** People who may come, for those who lead the table. */
  readonly admission?: Admission | undefined;
  /** Changes of the project's cards, likewise. */
  readonly cards?: CardNews | undefined;
  /** Others' pointers by seat, and when they last moved. */
  readonly pointers: ReadonlyMap<number, { readonly pointer: Pointer; readonly at: number }>;
  /** Places that people show, the own ones too, and when they did. */
  readonly pings: readonly { readonly ping: Ping; readonly at: number }[];
}

export interface ConnectionTools {
  readonly socket: OpenTransport;
  readonly calls: OpenTransport;
  readonly token: () => Promise<string>;
  readonly now: () => number;
  /** Answers a way to call it off. */
  readonly later: (run: () => void, ms: number) => () => void;
  /** From 0 to below 1. */
  readonly random: () => number;
}

interface Waiting {
  readonly act: Act & { readonly c: number };
  readonly resolve: (outcome: Outcome) => void;
}

const LOST: Outcome = {
  ok: false,
  code: 'unknown',
  say: 'The connection was lost. Look whether it happened before you try again.',
};
const NOBODY: People = { seats: [], observers: 0 };
const NOTHING: You = { seats: [], leads: false, table: '' };

/** A client of one table: it follows the table, comes back when the connection ends, and does acts. */
export class TableConnection {
  #state: Connected = {
    status: 'connecting',
    over: 'socket',
    people: NOBODY,
    you: NOTHING,
    pointers: new Map(),
    pings: [],
  };
  /** The table as the server has it. */
  #confirmed: TableView | undefined;
  #transport: Transport | undefined;
  #waiting = new Map<number, Waiting>();
  #c = 0;
  #attempts = 0;
  /** Sockets in a row that ended before their first message. */
  #silent = 0;
  #heard = false;
  #bye: { readonly why: string; readonly again: boolean } | undefined;
  #stops: (() => void)[] = [];
  #pointed = Number.NEGATIVE_INFINITY;
  /** The own pointer as it is to be told of next. */
  #pointer:
    | { readonly at: readonly [number, number]; readonly drag?: readonly [number, number, number] }
    | undefined;
  /** Times of the last acts by seat. */
  readonly #acted = new Map<SeatNo, number>();
  #ended = false;
  readonly #observers = new Set<() => void>();
  readonly #tools: ConnectionTools;

  constructor(tools: ConnectionTools) {
    this.#tools = tools;
  }

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };
  readonly snapshot = (): Connected => this.#state;

  /** Connects, until it is stopped or the server wants nobody back. */
  start(): void {
    this.#ended = false;
    this.#open();
    this.#renewToken();
  }

  stop(): void {
    this.#ended = true;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#transport?.close();
    this.#transport = undefined;
    this.#loseActs();
  }

  /** Does an act; answers whether the server accepted it. */
  act(act: Act): Promise<Outcome> {
    this.#c += 1;
    const asked = { ...act, c: this.#c };
    return new Promise((resolve) => {
      if (this.#state.status === 'open' && this.#transport?.send({ act: asked })) {
        this.#waiting.set(asked.c, { act: asked, resolve });
        this.#show({});
      } else {
        resolve({ ok: false, code: 'offline', say: 'There is no connection to the table right now.' });
      }
    });
  }

  /** Looks from another seat of one's own. */
  look(seat: SeatNo): void {
    this.#transport?.send({ look: seat });
  }

  /** Tells the others where the own pointer is. */
  point(at: readonly [number, number], drag?: readonly [number, number, number]): void {
    const waits = this.#pointer !== undefined;
    this.#pointer = { at, ...(drag && { drag }) };
    if (waits) return;
    const pause = this.#pointed + POINTER_EVERY_MS - this.#tools.now();
    if (pause > 0) this.#after(() => this.#sendPointer(), pause);
    else this.#sendPointer();
  }

  #sendPointer(): void {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    this.#pointed = this.#tools.now();
    if (pointer) this.#transport?.send(pointer);
  }

  /** Shows everybody a place. */
  ping(x: number, y: number): void {
    this.#transport?.send({ ping: [Math.round(x), Math.round(y)] });
  }

  #set(change: Partial<Connected>): void {
    this.#state = { ...this.#state, ...change };
    for (const observer of this.#observers) observer();
  }

  /** Shows the table with the acts that wait for their answers. */
  #show(change: Partial<Connected>): void {
    const acts = [...this.#waiting.values()].map(({ act }) => act);
    const view = this.#confirmed && foreseen(this.#confirmed, acts);
    // Most acts foresee nothing.
    if (view === this.#state.view && Object.keys(change).length === 0) return;
    this.#set({ ...change, ...(view && { view }) });
  }

  #open(): void {
    const { over } = this.#state;
    const known = this.#confirmed;
    const have = known && { epoch: known.epoch, n: known.n };
    this.#heard = false;
    this.#bye = undefined;
    let mine: Transport | undefined;
    const events = {
      message: (message: ServerMessage) => {
        if (!this.#ended && (mine === undefined || mine === this.#transport)) this.#take(message);
      },
      end: () => {
        if (!this.#ended && mine === this.#transport) this.#lost();
      },
    };
    mine = this.#tools[over](have, events, known?.seat ?? undefined);
    this.#transport = mine;
  }

  #lost(): void {
    this.#transport = undefined;
    this.#loseActs();
    if (this.#bye && !this.#bye.again) {
      this.#set({ status: 'closed', why: this.#bye.why, people: NOBODY, pointers: new Map(), pings: [] });
      return;
    }
    this.#silent = this.#heard ? 0 : this.#silent + 1;
    const over = this.#state.over === 'socket' && this.#silent >= BLOCKED_AFTER ? 'calls' : this.#state.over;
    const waits = this.#bye?.why === 'let-in';
    const pause = waits ? LET_IN_MS : (BACK_OFF_MS[Math.min(this.#attempts, BACK_OFF_MS.length - 1)] ?? 0);
    this.#attempts += waits ? 0 : 1;
    this.#set({
      status: 'waiting',
      over,
      people: NOBODY,
      pointers: new Map(),
      pings: [],
      ...(this.#bye && { why: this.#bye.why }),
    });
    // Not all at once after a restart of the server.
    this.#after(() => this.#open(), pause * (0.75 + this.#tools.random() / 2));
  }

  #take(message: ServerMessage): void {
    if ('bye' in message) {
      this.#bye = message.bye;
      // It is a word too: what says one is not blocked.
      this.#heard = true;
      return;
    }
    this.#heard = true;
    this.#silent = 0;
    this.#attempts = 0;
    if ('state' in message) {
      this.#confirmed = viewOfState(message.state, this.#confirmed);
      this.#show({ status: 'open', why: undefined });
    } else if ('n' in message) this.#patch(message);
    else if ('no' in message) this.#refuse(message.no, { ok: false, code: message.code, say: message.say });
    else if ('people' in message) this.#set({ status: 'open', people: message.people });
    else if ('you' in message)
      this.#set({
        you: message.you,
        ...(!message.you.leads && { admission: undefined, cards: undefined }),
      });
    else if ('admission' in message) this.#set({ admission: message.admission });
    else if ('cards' in message) this.#set({ cards: message.cards });
    else if ('pointers' in message) this.#point(message.pointers, message.pings ?? []);
  }

  #patch(patch: Patch): void {
    if (!this.#confirmed) return;
    const next = patched(this.#confirmed, patch);
    const done = patch.ack === undefined ? undefined : this.#waiting.get(patch.ack);
    if (patch.ack !== undefined) this.#waiting.delete(patch.ack);
    this.#acted.set(patch.by, this.#tools.now());
    if ('view' in next) {
      this.#confirmed = next.view;
      this.#show({ status: 'open', ...this.#withoutDrag(patch.by) });
    } else this.#transport?.send({ fresh: patch.n });
    done?.resolve({ ok: true, n: patch.n });
  }

  /** Others' pointers after an act of a seat: it has let go what it dragged. */
  #withoutDrag(seat: SeatNo): Pick<Connected, 'pointers'> | undefined {
    const { pointers } = this.#state;
    const known = pointers.get(seat);
    if (!known?.pointer[3]) return undefined;
    const [, x, y] = known.pointer;
    return { pointers: new Map(pointers).set(seat, { ...known, pointer: [seat, x, y] }) };
  }

  #point(moved: readonly Pointer[], shown: readonly Ping[]): void {
    const pointers = new Map(this.#state.pointers);
    const own = this.#state.view?.seat;
    const at = this.#tools.now();
    for (const [seat, x, y, drag] of moved) {
      if (seat === own) continue;
      const lets = at - (this.#acted.get(seat) ?? Number.NEGATIVE_INFINITY) < LETS_GO_MS;
      pointers.set(seat, { pointer: drag && !lets ? [seat, x, y, drag] : [seat, x, y], at });
    }
    if (shown.length === 0) {
      this.#set({ pointers });
      return;
    }
    const fresh = this.#state.pings.filter((one) => at - one.at < PING_FADES_MS);
    this.#set({ pointers, pings: [...fresh, ...shown.map((ping) => ({ ping, at }))].slice(-MAX_PINGS) });
  }

  #refuse(c: number, outcome: Outcome): void {
    const refused = this.#waiting.get(c);
    this.#waiting.delete(c);
    this.#show({});
    refused?.resolve(outcome);
  }

  #loseActs(): void {
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#show({});
    for (const { resolve } of lost) resolve(LOST);
  }

  #renewToken(): void {
    this.#after(() => {
      this.#tools.token().then(
        (token) => this.#transport?.send({ token }),
        // The server says so when the old one ends.
        () => undefined,
      );
      this.#renewToken();
    }, TOKEN_EVERY_MS);
  }

  #after(run: () => void, ms: number): void {
    const stop = this.#tools.later(() => {
      this.#stops = this.#stops.filter((one) => one !== stop);
      if (!this.#ended) run();
    }, ms);
    this.#stops.push(stop);
  }
}
