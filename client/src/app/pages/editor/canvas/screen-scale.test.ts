import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CSS_PX_PER_MM, keepScreenPxPerMm, MAX_OFF, screenPxPerMm } from './screen-scale.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal('devicePixelRatio', 1);
});
afterEach(() => vi.unstubAllGlobals());

it('is what the browser says until it was measured, and again when that is dropped', () => {
  expect(screenPxPerMm()).toBe(CSS_PX_PER_MM);
  keepScreenPxPerMm(5.5);
  expect(screenPxPerMm()).toBe(5.5);
  keepScreenPxPerMm(undefined);
  expect(screenPxPerMm()).toBe(CSS_PX_PER_MM);
});

it('holds when the page is zoomed: a real millimetre has fewer of its larger pixels', () => {
  keepScreenPxPerMm(5);
  vi.stubGlobal('devicePixelRatio', 2);
  expect(screenPxPerMm()).toBe(2.5);
});

it('believes nothing that no screen has', () => {
  for (const text of ['', 'nonsense', '-4', '0', 'Infinity', String(CSS_PX_PER_MM * MAX_OFF * 1.1)]) {
    kept.set('tuckbox-screen-scale', text);
    expect(screenPxPerMm()).toBe(CSS_PX_PER_MM);
  }
});
