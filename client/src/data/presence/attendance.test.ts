import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Attendance, EXPIRY_MS, HEARTBEAT_MS, HIDDEN_MS, type Room, TELL_EVERY_MS } from './attendance.ts';

interface Report {
  readonly id: string;
  readonly at: number;
  readonly place: string | undefined;
}

/** The documents of a meeting, to which windows listen as to the server. */
class Shelf {
  readonly documents = new Map<string, Report>();
  readonly writes: string[] = [];
  readonly windows = new Map<string, Attendance<string, Report>>();
  readonly seen = new Map<string, readonly string[]>();
  /** While it is away, writes wait. */
  online = true;
  readonly #waiting: (() => void)[] = [];
  #at = Date.now();

  open(id: string): Attendance<string, Report> {
    const room: Room<string, Report> = {
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
      hear: (peers) => this.seen.set(id, peers.map((peer) => `${peer.id} ${peer.place ?? 'nowhere'}`).sort()),
    };
    const window = new Attendance(room);
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
      window.arrived([...this.documents.values()].filter((found) => found.id !== id));
    }
  }
}

const settle = () => vi.advanceTimersByTimeAsync(TELL_EVERY_MS * 2);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('who is alone writes once and never again', async () => {
  const shelf = new Shelf();
  const ann = shelf.open('ann');
  for (let n = 0; n < 50; n++) {
    ann.move(`place ${n}`);
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
  }
  expect(shelf.writes).toEqual(['ann nowhere']);
});

test('a newcomer and who was alone for long see each other at once', async () => {
  const shelf = new Shelf();
  const ann = shelf.open('ann');
  ann.move('a title');
  await vi.advanceTimersByTimeAsync(EXPIRY_MS * 100);
  shelf.open('ben');
  await settle();
  expect(shelf.seen.get('ben')).toEqual(['ann a title']);
  expect(shelf.seen.get('ann')).toEqual(['ben nowhere']);
});

test('a pointer that moves all the time is told a few times a second, and where it rests at last', async () => {
  const shelf = new Shelf();
  const [ann] = [shelf.open('ann'), shelf.open('ben')];
  await settle();
  shelf.writes.length = 0;
  for (let n = 0; n < 300; n++) {
    ann.move(`${n}`);
    await vi.advanceTimersByTimeAsync(10);
  }
  await settle();
  expect(shelf.writes.length).toBeLessThanOrEqual((300 * 10) / TELL_EVERY_MS + 1);
  expect(shelf.seen.get('ben')).toEqual(['ann 299']);
});

test('who leaves is gone at once, and who crashed when silent too long, for good', async () => {
  const shelf = new Shelf();
  const [, ben] = [shelf.open('ann'), shelf.open('ben'), shelf.open('cyd')];
  await settle();
  ben.leave();
  expect(shelf.seen.get('ann')).toEqual(['cyd nowhere']);
  shelf.documents.set('ghost', { id: 'ghost', at: Date.now(), place: 'x' });
  shelf.tell();
  expect(shelf.seen.get('ann')).toContain('ghost x');
  await vi.advanceTimersByTimeAsync(EXPIRY_MS + 2 * HEARTBEAT_MS);
  expect(shelf.seen.get('ann')).toEqual(['cyd nowhere']);
  shelf.tell();
  expect(shelf.seen.get('ann')).toEqual(['cyd nowhere']);
});

test('what a crash left long ago is nobody, however often others move', async () => {
  const shelf = new Shelf();
  shelf.documents.set('ghost', { id: 'ghost', at: Date.now() - EXPIRY_MS * 10, place: 'x' });
  const ann = shelf.open('ann');
  shelf.open('ben');
  await settle();
  ann.move('here');
  await settle();
  expect(shelf.seen.get('ann')).toEqual(['ben nowhere']);
  expect(shelf.seen.get('ben')).toEqual(['ann here']);
});

test('a hidden window is silent, goes after a while, and is back when it is shown', async () => {
  const shelf = new Shelf();
  const [ann] = [shelf.open('ann'), shelf.open('ben')];
  await settle();
  shelf.writes.length = 0;
  ann.hide();
  await vi.advanceTimersByTimeAsync(HIDDEN_MS - 1);
  expect(shelf.seen.get('ben')).toEqual(['ann nowhere']);
  await vi.advanceTimersByTimeAsync(EXPIRY_MS * 10);
  expect(shelf.writes.filter((write) => write.startsWith('ann'))).toEqual([]);
  expect(shelf.seen.get('ben')).toEqual([]);
  ann.show();
  await settle();
  expect(shelf.seen.get('ben')).toEqual(['ann nowhere']);
  expect(shelf.seen.get('ann')).toEqual(['ben nowhere']);
});

test('without the network reports do not pile up, and all see each other again after it', async () => {
  const shelf = new Shelf();
  const [ann] = [shelf.open('ann'), shelf.open('ben')];
  await settle();
  shelf.online = false;
  for (let n = 0; n < 100; n++) {
    ann.move(`${n}`);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(shelf.seen.get('ben')).toEqual([]);
  shelf.writes.length = 0;
  shelf.back();
  await settle();
  expect(shelf.seen.get('ben')).toEqual(['ann 99']);
  expect(shelf.seen.get('ann')).toEqual(['ben nowhere']);
  expect(shelf.writes.length).toBeLessThan(8);
});
