import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  EXPIRY_MS,
  HEARTBEAT_MS,
  HIDDEN_MS,
  LEFT_AFTER_MS,
  PresenceSession,
  type PresenceTransport,
  REPORT_EVERY_MS,
} from './presence-session.ts';

interface Report {
  readonly id: string;
  readonly at: number;
  readonly place: string | undefined;
}

/** The documents of a meeting, to which windows listen as to the server. */
class Server {
  readonly documents = new Map<string, Report>();
  readonly writes: string[] = [];
  readonly windows = new Map<string, PresenceSession<string, Report>>();
  readonly seen = new Map<string, readonly string[]>();
  /** While it is away, writes wait. */
  online = true;
  /** Others' documents cannot be deleted. */
  refuses = false;
  readonly #waiting: (() => void)[] = [];
  #at = Date.now();

  open(id: string): PresenceSession<string, Report> {
    const transport: PresenceTransport<string, Report> = {
      report: (place) =>
        this.#when(() => {
          this.writes.push(`${id} ${place ?? 'nowhere'}`);
          this.#at = Math.max(this.#at + 1, Date.now());
          this.documents.set(id, { id, at: this.#at, place });
          this.tell();
        }),
      withdraw: () =>
        this.#when(() => {
          this.documents.delete(id);
          this.tell();
        }),
      clear: (left) =>
        this.#when(() => {
          // The server's rules: not before it was silent for a minute.
          const found = this.documents.get(left);
          if (this.refuses || (found && Date.now() - found.at < 60_000)) return;
          this.writes.push(`${id} clears ${left}`);
          this.documents.delete(left);
          this.tell();
        }),
      onPeers: (peers) =>
        this.seen.set(id, peers.map((peer) => `${peer.id} ${peer.place ?? 'nowhere'}`).sort()),
    };
    const window = new PresenceSession(transport);
    this.windows.set(id, window);
    this.tell();
    return window;
  }

  #when(write: () => void): Promise<void> {
    return new Promise((resolve) => {
      const run = () => {
        write();
        resolve();
      };
      if (this.online) run();
      else this.#waiting.push(run);
    });
  }

  back(): void {
    this.online = true;
    for (const run of this.#waiting.splice(0)) run();
  }

  tell(): void {
    for (const [id, window] of this.windows) {
      window.receive([...this.documents.values()].filter((found) => found.id !== id));
    }
  }
}

const settle = () => vi.advanceTimersByTimeAsync(REPORT_EVERY_MS * 2);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('who is alone writes once and never again', async () => {
  const server = new Server();
  const ann = server.open('ann');
  for (let n = 0; n < 50; n++) {
    ann.move(`place ${n}`);
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
  }
  expect(server.writes).toEqual(['ann nowhere']);
});

test('a newcomer and who was alone for long see each other at once', async () => {
  const server = new Server();
  const ann = server.open('ann');
  ann.move('a title');
  await vi.advanceTimersByTimeAsync(EXPIRY_MS * 100);
  server.open('ben');
  await settle();
  expect(server.seen.get('ben')).toEqual(['ann a title']);
  expect(server.seen.get('ann')).toEqual(['ben nowhere']);
});

test('a pointer that moves all the time is told a few times a second, and where it rests at last', async () => {
  const server = new Server();
  const [ann] = [server.open('ann'), server.open('ben')];
  await settle();
  server.writes.length = 0;
  for (let n = 0; n < 300; n++) {
    ann.move(`${n}`);
    await vi.advanceTimersByTimeAsync(10);
  }
  await settle();
  expect(server.writes.length).toBeLessThanOrEqual((300 * 10) / REPORT_EVERY_MS + 1);
  expect(server.seen.get('ben')).toEqual(['ann 299']);
});

test('who leaves is gone at once, and who crashed when silent too long, for good', async () => {
  const server = new Server();
  const [, ben] = [server.open('ann'), server.open('ben'), server.open('cyd')];
  await settle();
  ben.leave();
  expect(server.seen.get('ann')).toEqual(['cyd nowhere']);
  server.documents.set('ghost', { id: 'ghost', at: Date.now(), place: 'x' });
  server.tell();
  expect(server.seen.get('ann')).toContain('ghost x');
  await vi.advanceTimersByTimeAsync(EXPIRY_MS + 2 * HEARTBEAT_MS);
  expect(server.seen.get('ann')).toEqual(['cyd nowhere']);
  server.tell();
  expect(server.seen.get('ann')).toEqual(['cyd nowhere']);
});

test('what a crash left long ago is nobody, however often others move', async () => {
  const server = new Server();
  server.documents.set('ghost', { id: 'ghost', at: Date.now() - EXPIRY_MS * 10, place: 'x' });
  const ann = server.open('ann');
  server.open('ben');
  await settle();
  ann.move('here');
  await settle();
  expect(server.seen.get('ann')).toEqual(['ben nowhere']);
  expect(server.seen.get('ben')).toEqual(['ann here']);
});

test('a hidden window is silent, goes after a while, and is back when it is shown', async () => {
  const server = new Server();
  const [ann] = [server.open('ann'), server.open('ben')];
  await settle();
  server.writes.length = 0;
  ann.hide();
  await vi.advanceTimersByTimeAsync(HIDDEN_MS - 1);
  expect(server.seen.get('ben')).toEqual(['ann nowhere']);
  await vi.advanceTimersByTimeAsync(EXPIRY_MS * 10);
  expect(server.writes.filter((write) => write.startsWith('ann'))).toEqual([]);
  expect(server.seen.get('ben')).toEqual([]);
  ann.show();
  await settle();
  expect(server.seen.get('ben')).toEqual(['ann nowhere']);
  expect(server.seen.get('ann')).toEqual(['ben nowhere']);
});

test('without the network reports do not pile up, and all see each other again after it', async () => {
  const server = new Server();
  const [ann] = [server.open('ann'), server.open('ben')];
  await settle();
  server.online = false;
  for (let n = 0; n < 100; n++) {
    ann.move(`${n}`);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(server.seen.get('ben')).toEqual([]);
  server.writes.length = 0;
  server.back();
  await settle();
  expect(server.seen.get('ben')).toEqual(['ann 99']);
  expect(server.seen.get('ann')).toEqual(['ben nowhere']);
  expect(server.writes.length).toBeLessThan(8);
});

test('what a crashed window left is deleted by the next that stays', async () => {
  const server = new Server();
  server.documents.set('gone', { id: 'gone', at: Date.now() - 3_600_000, place: 'here' });
  server.open('ann');
  await vi.advanceTimersByTimeAsync(LEFT_AFTER_MS - HEARTBEAT_MS);
  expect(server.writes).toEqual(['ann nowhere']);
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS);
  expect(server.writes).toEqual(['ann nowhere', 'ann clears gone']);
  expect([...server.documents.keys()]).toEqual(['ann']);
});

test('a window that is there is never taken for one that crashed', async () => {
  const server = new Server();
  server.open('ann');
  await vi.advanceTimersByTimeAsync(3_600_000);
  server.open('ben');
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(server.writes.filter((write) => write.includes('clears'))).toEqual([]);
  expect([...server.documents.keys()].sort()).toEqual(['ann', 'ben']);
});

test('a report that may not be deleted yet is tried again', async () => {
  const server = new Server();
  server.documents.set('gone', { id: 'gone', at: Date.now(), place: undefined });
  server.refuses = true;
  server.open('ann');
  await vi.advanceTimersByTimeAsync(LEFT_AFTER_MS + 2 * HEARTBEAT_MS);
  expect(server.documents.has('gone')).toBe(true);
  server.refuses = false;
  await vi.advanceTimersByTimeAsync(LEFT_AFTER_MS + 2 * HEARTBEAT_MS);
  expect(server.documents.has('gone')).toBe(false);
});
