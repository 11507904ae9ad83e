// @vitest-environment happy-dom
/** Settings of generators, kept by the browser. */

import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { EditorModel } from '../state/editor-store.ts';
import { allZones } from '../state/zones/zones.ts';
import { regenerate, startGeneration } from './generation.ts';
import { GENERATORS } from './generators.ts';
import { keepGeneration, resumeGeneration, useKeptGeneration } from './kept-generation.ts';

const SIZE = { preset: 'custom', w: 254, h: 254, shape: 'rect' as const, radius: 0 };

beforeEach(() => localStorage.clear());

/** Settings with another number for each of them that has such a number. */
function tried(settings: unknown, number: number): object {
  const other = { seed: `${number}`, count: number, columns: number, cols: number };
  const own = settings as Record<string, unknown>;
  const fitting = Object.entries(other).filter(([key, value]) => typeof own[key] === typeof value);
  return { ...own, ...Object.fromEntries(fitting) };
}

function made(at: number, layout = 'one') {
  const model = new EditorModel(newLayout('Board', SIZE));
  const generator = GENERATORS[at];
  if (!generator) throw new Error('no such generator');
  startGeneration(model, generator);
  const { generation } = model.state;
  if (!generation) throw new Error('nothing was made');
  regenerate(model, generation, tried(generation.settings, 7));
  if (model.state.generation) keepGeneration(layout, model.state.generation);
  return model;
}

/** The board as another page opens it. */
const reopened = (model: EditorModel): EditorModel =>
  new EditorModel(layoutSchema.parse(JSON.parse(JSON.stringify(model.state.scene))));

test.each(GENERATORS.map(({ name }, at) => [name, at] as const))(
  '%s goes on with its settings when the board is opened again, and one undo takes back what follows',
  (_, at) => {
    const before = made(at);
    const model = reopened(before);
    resumeGeneration(model, 'one');
    const { generation } = model.state;
    expect(generation?.settings).toEqual(before.state.generation?.settings);
    expect(generation?.zone).toBe(before.state.generation?.zone);
    const opened = model.state.scene;
    for (const number of [3, 4]) {
      const now = model.state.generation;
      if (now) regenerate(model, now, tried(now.settings, number));
    }
    model.undo();
    expect(model.state.scene).toEqual(opened);
  },
);

test('what was changed since, deleted, or made on another board does not go on', () => {
  for (let at = 0; at < GENERATORS.length; at++) {
    const model = made(at);
    const elsewhere = reopened(model);
    resumeGeneration(elsewhere, 'another');
    expect(elsewhere.state.generation).toBeNull();
    const changed = reopened(model);
    changed.act((draft) => {
      const [zone] = draft.zones;
      if (zone?.kind === 'map') zone.data = '3A';
      const inner = allZones(draft.zones)[1];
      if (inner) inner.name = 'Harbour';
    });
    resumeGeneration(changed, 'one');
    expect(changed.state.generation).toBeNull();
    const emptied = new EditorModel(newLayout('Board', SIZE));
    resumeGeneration(emptied, 'one');
    expect(emptied.state.generation).toBeNull();
  }
});

test('settings of another kind than a generator has now are left out', () => {
  const model = made(GENERATORS.findIndex(({ id }) => id === 'random-map'));
  const [name = ''] = Object.keys(localStorage);
  const [kept] = JSON.parse(localStorage.getItem(name) ?? '[]');
  const settings = { ...kept.settings, seed: 4, shares: null, apart: {}, cols: 7, forgotten: true };
  localStorage.setItem(name, JSON.stringify([{ ...kept, settings }]));
  const again = reopened(model);
  resumeGeneration(again, 'one');
  const { seed, shares, apart, cols } = (again.state.generation?.settings ?? {}) as Record<string, unknown>;
  expect({ seed, apart, cols }).toEqual({ seed: '1', apart: [], cols: 7 });
  expect(Object.keys(shares as object)).not.toEqual([]);
});

test('texts in the browser’s store that cannot be read count as none', () => {
  const model = made(0);
  for (const text of ['', '{', 'null', '[null,3]', '[{"layout":"one"}]']) {
    for (const name of Object.keys(localStorage)) localStorage.setItem(name, text);
    const again = reopened(model);
    resumeGeneration(again, 'one');
    expect(again.state.generation).toBeNull();
  }
});

test('settings that are too long are not kept, and nothing is worked out for them', () => {
  const model = made(0);
  const { generation } = model.state;
  if (!generation) throw new Error('nothing was made');
  localStorage.clear();
  const content = { toJSON: vi.fn(() => []) };
  keepGeneration('one', { ...generation, made: [content], settings: { text: 'x'.repeat(20_001) } });
  expect(localStorage.length).toBe(0);
  expect(content.toJSON).not.toHaveBeenCalled();
});

describe('in the editor', () => {
  const written = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers();
    written.mockClear();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** An editor of the layout; what it writes from now on is counted. */
  const opened = (model: EditorModel) => {
    const own = localStorage;
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => own.getItem(name),
      setItem: (name: string, text: string) => {
        written();
        own.setItem(name, text);
      },
    });
    return renderHook(() => useKeptGeneration(model, 'one'));
  };
  const change = (model: EditorModel, number: number) =>
    act(() => {
      const { generation } = model.state;
      if (generation) regenerate(model, generation, tried(generation.settings, number));
    });

  test('opening a layout writes nothing, so that those changed longest ago go first', () => {
    const model = reopened(made(0));
    made(0, 'two');
    resumeGeneration(model, 'one');
    expect(model.state.generation).not.toBeNull();
    const { unmount } = opened(model);
    vi.advanceTimersByTime(10_000);
    window.dispatchEvent(new Event('pagehide'));
    unmount();
    expect(written).not.toHaveBeenCalled();
  });

  test('many changes in a row are written once, when they rest', () => {
    const model = made(0);
    const { unmount } = opened(model);
    for (let number = 2; number < 30; number++) {
      change(model, number);
      vi.advanceTimersByTime(100);
    }
    expect(written).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(written).toHaveBeenCalledTimes(1);
    const again = reopened(model);
    resumeGeneration(again, 'one');
    expect(again.state.generation?.settings).toEqual(model.state.generation?.settings);
    unmount();
    expect(written).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the editor', ({ unmount }: { unmount: () => void }) => unmount()],
    ['the page', () => window.dispatchEvent(new Event('pagehide'))],
  ])('leaving %s writes what has not rested yet', (_, leave) => {
    const model = made(0);
    const hook = opened(model);
    change(model, 9);
    leave(hook);
    expect(written).toHaveBeenCalledTimes(1);
    const again = reopened(model);
    resumeGeneration(again, 'one');
    expect(again.state.generation?.settings).toEqual(model.state.generation?.settings);
  });
});
