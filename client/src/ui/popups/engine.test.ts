import { describe, expect, it } from 'vitest';
import { POPUP_CLOSE_MS, PopupEngine } from './engine.ts';

function setUp() {
  let due: (() => void) | undefined;
  const waits: number[] = [];
  const engine = new PopupEngine((callback, ms) => {
    waits.push(ms);
    due = callback;
    return () => {
      due = undefined;
    };
  });
  return { engine, waits, run: () => due?.() };
}

describe('a popup', () => {
  it('closes over 200 ms', () => {
    const { engine, waits, run } = setUp();
    expect(POPUP_CLOSE_MS).toBe(200);
    engine.open();
    engine.close();
    expect(engine.snapshot()).toBe('closing');
    expect(waits).toEqual([200]);
    run();
    expect(engine.snapshot()).toBe('closed');
  });

  it('can be opened again while it closes', () => {
    const { engine, run } = setUp();
    engine.open();
    engine.close();
    engine.open();
    run();
    expect(engine.snapshot()).toBe('open');
  });

  it('lets the user leave unless it is locked, and only while it is open', () => {
    const { engine } = setUp();
    expect(engine.mayDismiss(false)).toBe(false);
    engine.open();
    expect(engine.mayDismiss(false)).toBe(true);
    expect(engine.mayDismiss(true)).toBe(false);
    engine.close();
    expect(engine.mayDismiss(false)).toBe(false);
  });
});
