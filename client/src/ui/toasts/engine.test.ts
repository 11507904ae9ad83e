import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_TOAST_STEP_MS, MAX_TOASTS, TOAST_AUTO_CLOSE_MS, TOAST_TICK_MS, ToastEngine } from './engine.ts';

let engine: ToastEngine;
let tick: (() => void) | undefined;
let now: number;

const advance = (ms: number) => {
  for (let elapsed = 0; elapsed < ms; elapsed += TOAST_TICK_MS) {
    now += TOAST_TICK_MS;
    tick?.();
  }
};
const messages = () => engine.snapshot().map((toast) => toast.message);

beforeEach(() => {
  tick = undefined;
  now = 0;
  engine = new ToastEngine(
    (callback, ms) => {
      expect(ms).toBe(10);
      tick = callback;
      return () => {
        tick = undefined;
      };
    },
    () => now,
  );
});

describe('toasts', () => {
  it('close after 2000 ms by default', () => {
    expect(TOAST_AUTO_CLOSE_MS).toBe(2000);
    engine.show('a');
    advance(1990);
    expect(messages()).toEqual(['a']);
    expect(engine.snapshot()[0]?.elapsedTime).toBe(1990);
    advance(10);
    expect(messages()).toEqual([]);
    expect(tick).toBeUndefined();
  });

  it('close in time on a busy page, whose steps come late', () => {
    engine.show('a');
    for (let step = 0; step < 19; step++) {
      now += 100;
      tick?.();
    }
    expect(messages()).toEqual(['a']);
    now += 100;
    tick?.();
    expect(messages()).toEqual([]);
  });

  it('stay while the page stands still, because nobody can read them', () => {
    engine.show('a');
    now += 60_000;
    tick?.();
    expect(engine.snapshot()[0]?.elapsedTime).toBe(MAX_TOAST_STEP_MS);
  });

  it('wait while the pointer is on them', () => {
    const id = engine.show('a');
    engine.show('b', { pauseOnHover: false });
    engine.hover(id, true);
    advance(5000);
    expect(messages()).toEqual(['a']);
    engine.hover(id, false);
    advance(2000);
    expect(messages()).toEqual([]);
  });

  it('stay when told to, without a clock', () => {
    engine.show('a', { autoCloseTime: 0 });
    expect(tick).toBeUndefined();
  });

  it('close on a click only when they may', () => {
    engine.click(engine.show('a'));
    engine.click(engine.show('b', { closeOnClick: false }));
    expect(messages()).toEqual(['b']);
  });

  it('make room for new ones', () => {
    for (let i = 0; i <= MAX_TOASTS; i++) engine.show(String(i));
    expect(messages()).toHaveLength(MAX_TOASTS);
    expect(messages()[0]).toBe('1');
  });

  it('tell observers', () => {
    const observer = vi.fn();
    const stop = engine.subscribe(observer);
    engine.close(engine.show('a'));
    stop();
    engine.show('b');
    expect(observer).toHaveBeenCalledTimes(2);
  });
});
