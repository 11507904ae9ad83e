import { describe, expect, it } from 'vitest';
import type { OldObject } from './migrations.ts';
import { defaultUserObject } from './schema.ts';
import { type UserObjectBackend, UserObjectStore } from './store.ts';

/** A document that several tabs share; writes can be held back and made to fail. */
class Shared {
  stored: OldObject | null = null;
  writes = 0;
  failure: unknown;
  /** Runs once between a transaction's read and its commit. */
  interrupt: (() => void) | undefined;
  /** Snapshots on their way, while they are held up. */
  held: (OldObject | null)[] | undefined;
  readonly #watchers = new Set<(stored: OldObject | null) => void>();

  put(stored: OldObject | null): void {
    this.stored = stored;
    if (this.held) this.held.push(stored);
    else this.#report(stored);
  }

  /** The next snapshot that was held up arrives. */
  arrive(): void {
    const [next] = this.held?.splice(0, 1) ?? [];
    if (next !== undefined) this.#report(next);
  }

  #report(stored: OldObject | null): void {
    for (const watcher of this.#watchers) watcher(stored);
  }

  tab(): UserObjectBackend {
    return {
      watch: (next, failed) => {
        const watcher = (stored: OldObject | null) => next(stored);
        this.#watchers.add(watcher);
        if (this.failure) failed(this.failure);
        else next(this.stored);
        return () => void this.#watchers.delete(watcher);
      },
      transact: async (change) => {
        for (;;) {
          await Promise.resolve();
          if (this.failure) throw this.failure;
          const before = this.stored;
          const after = change(before);
          this.interrupt?.();
          this.interrupt = undefined;
          if (this.stored !== before) continue;
          if (after !== null) {
            this.writes++;
            this.put(after);
          }
          return;
        }
      },
      isTransient: (error) => error === 'offline',
    };
  }
}

function started(shared: Shared): UserObjectStore {
  const store = new UserObjectStore(shared.tab());
  store.start();
  return store;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the user object', () => {
  it('is created when missing, once however many tabs are open, and loaded again', async () => {
    const shared = new Shared();
    const tabs = [started(shared), started(shared)];
    await settled();
    expect(shared.stored).toEqual(defaultUserObject());
    expect(shared.writes).toBe(1);
    for (const tab of tabs) expect(tab.snapshot()).toMatchObject({ ready: true, error: null });
  });

  it('is brought to the present and written back', async () => {
    const shared = new Shared();
    shared.stored = { versionNum: 14, showGrid: true, userFonts: ['Lora'] };
    started(shared);
    await settled();
    expect(shared.stored).toMatchObject({
      versionNum: 20,
      showGrid: true,
      userFonts: [{ fontFamily: 'Lora', format: 'woff2' }],
    });
  });

  it('shows a change at once and overwrites the whole object with it', async () => {
    const shared = new Shared();
    shared.stored = { ...defaultUserObject(), later: 1 };
    const store = started(shared);
    const saved = store.save({ pngExportSize: 300 });
    expect(store.snapshot().object.pngExportSize).toBe(300);
    expect(await saved).toBe(true);
    expect(shared.stored).toEqual({ ...defaultUserObject(), pngExportSize: 300, later: 1 });
  });

  it('does not apply a change once more when its snapshot comes before its answer', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    const store = started(shared);
    for (const before of [false, true, false]) {
      const shown = new Set<boolean>();
      const stop = store.subscribe(() => shown.add(store.snapshot().object.showGrid));
      expect(await store.save(({ showGrid }) => ({ showGrid: !showGrid }))).toBe(true);
      await settled();
      stop();
      expect([...shown]).toEqual([!before]);
      expect(shared.stored).toMatchObject({ showGrid: !before });
    }
  });

  it('keeps what another tab changed in between', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    const store = started(shared);
    shared.interrupt = () => shared.put({ ...defaultUserObject(), showGrid: true, tags: ['a'] });
    await store.save(({ tags }) => ({ tags: [...tags, 'b'], showCardCopies: false }));
    expect(shared.stored).toMatchObject({ showGrid: true, showCardCopies: false, tags: ['a', 'b'] });
    expect(store.snapshot().object).toMatchObject({ showGrid: true, tags: ['a', 'b'] });
  });

  it('writes changes made meanwhile together', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    const store = started(shared);
    const all = [100, 150, 250, 300].map((pngExportSize) => store.save({ pngExportSize }));
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
    expect(shared.stored).toMatchObject({ pngExportSize: 300 });
    expect(shared.writes).toBe(2);
  });

  it('does not go back to what it has overwritten when a snapshot is late', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    const store = started(shared);
    const shown: boolean[] = [];
    store.subscribe(() => shown.push(store.snapshot().object.showGrid));
    shared.held = [];
    await store.save({ showGrid: true });
    await store.save({ showGrid: false });
    shown.length = 0;
    for (const _ of [1, 2]) {
      shared.arrive();
      await settled();
    }
    expect(shown).not.toContain(true);
    shared.put({ ...defaultUserObject(), tags: ['other tab'] });
    shared.arrive();
    expect(store.snapshot().object.tags).toEqual(['other tab']);
  });

  it('shows what another tab wrote, whatever arrives late and whatever it equals', async () => {
    for (const showGrid of [true, false]) {
      const shared = new Shared();
      shared.stored = defaultUserObject();
      const store = started(shared);
      shared.held = [];
      await store.save({ showGrid: true });
      await store.save({ pngExportSize: 300 });
      // The other tab writes what this one had overwritten, and its snapshot comes in place of all before.
      shared.held = [];
      shared.put({ ...defaultUserObject(), showGrid });
      shared.arrive();
      await settled();
      expect(store.snapshot().object).toMatchObject({
        showGrid,
        pngExportSize: defaultUserObject().pngExportSize,
      });
    }
  });

  it('keeps a change that finds no connection until it can be written', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    const store = started(shared);
    shared.failure = 'offline';
    const saved = store.save({ showGrid: true });
    await settled();
    expect(store.snapshot().error).toMatchObject({
      message: 'could not update the document',
      retriable: true,
    });
    expect(store.snapshot().object.showGrid).toBe(true);
    shared.failure = undefined;
    store.retry();
    expect(await saved).toBe(true);
    expect(store.snapshot().error).toBeNull();
    expect(shared.stored).toMatchObject({ showGrid: true });
  });

  it('takes back a change that is refused', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    const store = started(shared);
    shared.failure = 'denied';
    expect(await store.save({ showGrid: true })).toBe(false);
    expect(store.snapshot().object.showGrid).toBe(false);
    expect(store.snapshot().error).toMatchObject({
      message: 'could not update the document',
      retriable: false,
    });
    shared.failure = undefined;
    expect(await store.save({ darkMode: true })).toBe(true);
    expect(store.snapshot()).toMatchObject({ object: { darkMode: true, showGrid: false }, error: null });
  });

  it('says when it cannot be fetched, and tries again on request', async () => {
    const shared = new Shared();
    shared.stored = defaultUserObject();
    shared.failure = 'offline';
    const store = started(shared);
    expect(store.snapshot()).toMatchObject({ ready: false, error: { message: 'could not fetch document' } });
    shared.failure = undefined;
    store.retry();
    expect(store.snapshot()).toMatchObject({ ready: true, error: null });
  });

  it('gives up, rather than loop, when what it creates is never there', async () => {
    const backend: UserObjectBackend = {
      watch: (next) => {
        next(null);
        return () => {};
      },
      transact: async (change) => void change(null),
      isTransient: () => false,
    };
    const store = new UserObjectStore(backend);
    store.start();
    await settled();
    expect(store.snapshot().error?.message).toBe('could not fetch document');
    expect(store.snapshot().error?.cause).toMatchObject({ message: 'that document does not exist' });
  });
});
