import { beforeEach, describe, expect, it } from 'vitest';
import { Autosave } from './autosave.ts';

let timers: { callback: () => void; ms: number }[];
let saves: { value: string; done: () => void; fail: () => void }[];
let autosave: Autosave<string>;

const settle = () => new Promise((resolve) => setImmediate(resolve));
const fire = async () => {
  const [timer] = timers.splice(0, 1);
  timer?.callback();
  await settle();
};

beforeEach(() => {
  timers = [];
  saves = [];
  autosave = new Autosave(
    (value) =>
      new Promise<void>((resolve, reject) => {
        saves.push({ value, done: resolve, fail: () => reject(new Error('down')) });
      }),
    (callback, ms) => {
      const timer = { callback, ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  );
});

describe('autosave', () => {
  it('saves the newest value once things are quiet', async () => {
    autosave.changed('a');
    autosave.changed('b');
    expect(timers.map(({ ms }) => ms)).toEqual([700]);
    await fire();
    expect(autosave.snapshot()).toBe('saving');
    saves[0]?.done();
    await settle();
    expect(saves.map(({ value }) => value)).toEqual(['b']);
    expect(autosave.snapshot()).toBe('saved');
    expect(timers).toEqual([]);
  });

  it('saves what changed meanwhile afterwards, never two at a time', async () => {
    autosave.changed('a');
    await fire();
    autosave.changed('b');
    expect(timers).toEqual([]);
    saves[0]?.done();
    await settle();
    expect(autosave.snapshot()).toBe('pending');
    await fire();
    expect(saves.map(({ value }) => value)).toEqual(['a', 'b']);
  });

  it('tries again ever more patiently and drops nothing', async () => {
    autosave.changed('a');
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      await fire();
      saves[i]?.fail();
      await settle();
      expect(autosave.snapshot()).toBe('failed');
      waits.push(timers[0]?.ms);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await fire();
    saves[6]?.done();
    await settle();
    expect(autosave.snapshot()).toBe('saved');
    expect(saves[6]?.value).toBe('a');
  });

  it('can be hurried', async () => {
    autosave.changed('a');
    const flushed = autosave.flush();
    await settle();
    saves[0]?.done();
    await flushed;
    expect(autosave.snapshot()).toBe('saved');
    expect(timers).toEqual([]);
  });

  it('holds changes back until they may go', async () => {
    autosave.hold();
    autosave.changed('a');
    autosave.changed('b');
    await autosave.flush();
    expect([timers.length, saves.length, autosave.snapshot()]).toEqual([0, 0, 'held']);
    const gone = autosave.release();
    await settle();
    expect(saves.map(({ value }) => value)).toEqual(['b']);
    saves[0]?.done();
    await gone;
    expect(autosave.snapshot()).toBe('saved');
  });

  it('lets a save that runs go on, and holds what came during it', async () => {
    autosave.changed('a');
    await fire();
    autosave.hold();
    autosave.changed('b');
    saves[0]?.done();
    await settle();
    expect([timers.length, saves.length, autosave.snapshot()]).toEqual([0, 1, 'held']);
  });
});
