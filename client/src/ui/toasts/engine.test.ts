import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_TOASTS, TOAST_AUTO_CLOSE_MS, TOAST_TICK_MS, ToastEngine } from './engine.ts';

let engine: ToastEngine;
let tick: (() => void) | undefined;

const advance = (ms: number) => {
  for (let elapsed = 0; elapsed < ms; elapsed += TOAST_TICK_MS) tick?.();
};
const messages = () => engine.snapshot().map((toast) => toast.message);

beforeEach(() => {
  tick = undefined;
  engine = new ToastEngine((callback, ms) => {
    expect(ms).toBe(10);
    tick = callback;
    return () => {
      tick = undefined;
    };
  });
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
