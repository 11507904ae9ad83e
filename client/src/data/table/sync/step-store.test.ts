import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Change } from '../changes/change.ts';
import type { KeptSteps, Step } from '../changes/history.ts';
import { MAX_STORED_CELLS, MAX_STORED_STEPS, stepStore, storable, takeOverSteps } from './step-store.ts';

const disk = new Map<string, unknown>();
vi.mock('idb-keyval', () => ({
  createStore: () => ({}),
  keys: async () => [...disk.keys()],
  getMany: async (names: string[]) => names.map((name) => structuredClone(disk.get(name))),
  setMany: async (pairs: [string, unknown][]) => {
    for (const [name, value] of pairs) disk.set(name, structuredClone(value));
  },
  delMany: async (names: string[]) => {
    for (const name of names) disk.delete(name);
  },
}));

/** Windows whose lock is held: they are still there. */
const alive = new Set<string>();
const change = (after: string): Change => ({ kind: 'cell', card: 'c', key: 'a', before: '', after });
const step = (label: string, cells = 1): Step => ({
  label,
  changes: Array.from({ length: cells }, () => change(label)),
});
const done = (...steps: Step[]): KeptSteps => ({ done: steps, undone: [] });

async function takenBy(own: string, now = 10): Promise<string[] | undefined> {
  let labels: string[] | undefined;
  await takeOverSteps(
    'u/d/c/',
    own,
    () => now,
    async (steps) => {
      labels = steps.done.map(({ label }) => label);
      await stepStore(own, () => now).save(steps);
    },
  );
  return labels;
}

describe('steps kept on this machine', () => {
  beforeEach(() => {
    disk.clear();
    alive.clear();
    vi.stubGlobal('navigator', {
      locks: {
        request: async (key: string, _: object, work: () => Promise<boolean>) => {
          if (alive.has(key)) throw new DOMException('', 'TimeoutError');
          return work();
        },
      },
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('are handed on in their order, once', async () => {
    const [first, second] = [step('one'), step('two')];
    const store = stepStore('u/d/c/old', () => 1);
    await store.save(done(first));
    await store.save(done(first, second));
    expect(await takenBy('u/d/c/new')).toEqual(['one', 'two']);
    expect([...disk.keys()].filter((key) => key.includes('old'))).toEqual([]);
    expect(await takenBy('u/d/c/newer', 11)).toEqual(['one', 'two']);
  });

  it('write no more than what is new, and forget what fell out', async () => {
    const [first, second] = [step('one'), step('two')];
    const store = stepStore('u/d/c/old', () => 1);
    await store.save(done(first, second));
    const before = [...disk.keys()];
    await store.save(done(second));
    expect(before).toHaveLength(3);
    expect([...disk.keys()]).toHaveLength(2);
  });

  it('stay with a window that is still there, and come from the newest that is not', async () => {
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      await stepStore(`u/d/c/${name}`, () => at + 1).save(done(step(name)));
    }
    alive.add('u/d/c/c');
    expect(await takenBy('u/d/c/new')).toEqual(['b']);
    expect(disk.has('u/d/c/c')).toBe(true);
    expect(await takenBy('u/d/other', 10)).not.toEqual(['c']);
  });

  it('are a table’s and a user’s own', async () => {
    await stepStore('someone/d/c/w', () => 1).save(done(step('theirs')));
    expect(await takenBy('u/d/c/new')).toBeUndefined();
  });

  it('are forgotten after a week, and so are steps that nothing lists', async () => {
    await stepStore('u/d/c/old', () => 1).save(done(step('old')));
    disk.set('u/d/c/lost#1', step('lost'));
    expect(await takenBy('u/d/c/new', 8 * 24 * 3_600_000)).toBeUndefined();
    expect(disk.size).toBe(0);
  });

  it('begin after one that is missing', async () => {
    await stepStore('u/d/c/old', () => 1).save(done(step('one'), step('two'), step('three')));
    const second = [...disk].find(([, value]) => (value as Step).label === 'two')?.[0] ?? '';
    disk.delete(second);
    expect(await takenBy('u/d/c/new')).toEqual(['three']);
  });

  it('are bounded in number and in cells', () => {
    const many = Array.from({ length: MAX_STORED_STEPS + 5 }, (_, at) => step(`${at}`));
    expect(storable(done(...many)).done.map(({ label }) => label)[0]).toBe('5');
    const heavy = storable(done(step('small'), step('huge', MAX_STORED_CELLS), step('last')));
    expect(heavy.done.map(({ label }) => label)).toEqual(['last']);
  });
});
