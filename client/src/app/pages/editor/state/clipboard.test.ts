import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newImageZone, newLayout, newTextZone } from '../../../../core/scene/defaults.ts';
import type { ImageZone, TextZone } from '../../../../core/scene/zone.ts';
import { runShortcut } from '../commands.ts';
import { readClipboard, writeClipboard } from './clipboard.ts';
import { EditorModel } from './editor-store.ts';

const BOX = { x: 3, y: 4, w: 20, h: 10 };
const kept = new Map<string, string>();
let model: EditorModel;

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  const scene = newLayout('test');
  const title = newTextZone('title', 'Title', BOX);
  Object.assign(title, { text: 'Ember', opacity: 0.5, radius: [2, 2, 2, 2], fit: 'squash' });
  Object.assign(title.style, { family: 'cinzel', size: 16, color: '#8c2f39' });
  title.bindings = { text: { mode: 'column', column: 'title' } };
  title.shadows = [{ color: '#000000', dx: 0, dy: 1, blur: 2, spread: 0 }];
  const rules = newTextZone('rules', 'Rules', { ...BOX, y: 40 });
  rules.text = 'Draw two cards.';
  scene.zones = [title, rules, newImageZone('art', 'Art', { ...BOX, y: 60 })];
  model = new EditorModel(scene);
});
afterEach(() => vi.unstubAllGlobals());

const press = (letter: string, altKey = true) =>
  runShortcut(
    {
      key: letter,
      code: `Key${letter.toUpperCase()}`,
      ctrlKey: true,
      metaKey: false,
      shiftKey: false,
      altKey,
    } as KeyboardEvent,
    { model, save: () => undefined },
  );
const zones = () => model.state.scene.zones as [TextZone, TextZone, ImageZone];

it('pastes the style alone: what a zone says, its name, place and columns stay its own', () => {
  model.select('title');
  expect(press('c')).toBe(true);
  model.select('rules');
  const [title, before] = zones();
  expect(press('v')).toBe(true);
  const [, rules] = zones();
  const { opacity, fill, stroke, shadows, radius, style, fit, minSize, padding, textShadows } = title;
  expect(rules).toEqual({
    ...before,
    ...{ opacity, fill, stroke, shadows, radius, style, fit, minSize, padding, textShadows },
  });
  expect(rules).toMatchObject({ text: 'Draw two cards.', name: 'Rules', y: 40, bindings: {} });
  press('z', false);
  expect(zones()[1]).toEqual(before);
});

it('gives a zone of another kind what it can take, and several at once', () => {
  model.select('title');
  press('c');
  model.selectAll(['rules', 'art']);
  const [, , before] = zones();
  press('v');
  const [title, rules, art] = zones();
  expect(rules.style).toEqual(title.style);
  expect(art).toEqual({ ...before, opacity: 0.5, radius: [2, 2, 2, 2], shadows: title.shadows });
  press('z', false);
  expect(zones()[2]).toEqual(before);
});

it('keeps zones and style beside each other, and counts what cannot be read as nothing', () => {
  model.select('title');
  press('c');
  press('c', false);
  expect(readClipboard()).toMatchObject({ zones: [{ id: 'title' }], style: { kind: 'text', opacity: 0.5 } });
  kept.set([...kept.keys()][0] ?? '', '{"zones": [{"kind": "cloud"}]}');
  expect(readClipboard()).toEqual({ zones: [], style: null });
  model.select('rules');
  expect(press('v')).toBe(false);
  writeClipboard({ style: { kind: 'text', opacity: 'much' } });
  const before = model.state.scene;
  press('v');
  expect(model.state.scene).toBe(before);
});
