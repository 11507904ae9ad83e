import { memoryStore, type Platform } from '../internal/platform.ts';

/** A request as a test sees it. */
export interface SeenRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly json: unknown;
}

/** Answers a request; may throw as a failed `fetch` does. */
export type Handler = (request: SeenRequest) => Response | Promise<Response>;

interface Timer {
  at: number;
  order: number;
  callback: () => void;
}

/** A platform whose clock, network and storage a test holds in its hands. */
export class FakePlatform implements Platform {
  readonly origin = 'https://cards.test';
  readonly storage = memoryStore();
  /** Address of the tab; a test may change it. */
  at = 'https://cards.test/';
  readonly tab = {
    storage: memoryStore(),
    address: () => this.at,
    leave: (url: string) => {
      this.at = url;
    },
  };
  readonly requests: SeenRequest[] = [];
  handler: Handler = () => {
    throw new Error('no handler set');
  };
  #now = Date.UTC(2026, 0, 1);
  #timers: Timer[] = [];
  #order = 0;
  readonly #online = new Set<() => void>();

  now(): number {
    return this.#now;
  }

  setTimer(callback: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Waits of the timers that are set, shortest first. */
  get waits(): number[] {
    return this.#timers.map((timer) => timer.at - this.#now).sort((a, b) => a - b);
  }

  /** Moves the clock, running every timer that comes due and what follows from it. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const [next] = this.#timers
        .filter((timer) => timer.at <= end)
        .sort((a, b) => a.at - b.at || a.order - b.order);
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settle();
    }
    this.#now = end;
  }

  random(): number {
    return 0.5;
  }

  #byte = 0;
  randomBytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#byte++ % 256);
  }

  onOnline(callback: () => void): () => void {
    this.#online.add(callback);
    return () => void this.#online.delete(callback);
  }

  goOnline(): void {
    for (const callback of this.#online) callback();
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const body = typeof init.body === 'string' ? init.body : '';
    const request: SeenRequest = {
      url,
      init,
      headers: (init.headers ?? {}) as Record<string, string>,
      body,
      json: parse(body),
    };
    this.requests.push(request);
    const signal = init.signal;
    const answer = Promise.resolve().then(() => this.handler(request));
    if (!signal) return answer;
    const aborted = new Promise<never>((_, reject) => {
      const fail = () => reject(new DOMException('aborted', 'AbortError'));
      if (signal.aborted) fail();
      else signal.addEventListener('abort', fail);
    });
    aborted.catch(() => undefined);
    return Promise.race([answer, aborted]);
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A JSON reply. */
export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

/** Lets everything that is ready run: promises, and the streams' own queues behind them. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
