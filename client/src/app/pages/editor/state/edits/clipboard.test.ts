import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newLayout } from '../../../../../core/scene/new-layout.ts';
import type { ImageZone } from '../../../../../core/scene/zones/image.ts';
import type { TextZone } from '../../../../../core/scene/zones/text.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { runShortcut } from '../../../../../ui/commands/keys.ts';
import { COMMANDS } from '../../commands.ts';
import { EditorModel } from '../editor-store.ts';
import { MAX_SHARED_LENGTH, readClipboard, writeClipboard } from './clipboard.ts';

const account = vi.hoisted(() => ({ globalZoneClipBoard: [] as unknown[] }));
vi.mock('../../../../../data/user-object/use-user-object.ts', () => ({
  saveUserObject: async (change: object) => void Object.assign(account, change),
  userObjectStore: () => ({ snapshot: () => ({ object: account }) }),
}));

const BOX = { x: 3, y: 4, w: 20, h: 10 };
const kept = new Map<string, string>();
let model: EditorModel;

beforeEach(() => {
  kept.clear();
  account.globalZoneClipBoard = [];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  const scene = newLayout('test');
  const title = newZone('text', 'title', 'Title', BOX);
  Object.assign(title, { text: 'Ember', opacity: 0.5, radius: [2, 2, 2, 2], fit: 'squash' });
  Object.assign(title.style, { family: 'cinzel', size: 16, color: '#8c2f39' });
  title.bindings = { text: { mode: 'column', column: 'title' } };
  title.shadows = [{ color: '#000000', dx: 0, dy: 1, blur: 2, spread: 0 }];
  const rules = newZone('text', 'rules', 'Rules', { ...BOX, y: 40 });
  rules.text = 'Draw two cards.';
  scene.zones = [title, rules, newZone('image', 'art', 'Art', { ...BOX, y: 60 })];
  model = new EditorModel(scene);
});
afterEach(() => vi.unstubAllGlobals());

const press = (letter: string, altKey = true) =>
  runShortcut(
    COMMANDS,
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
  account.globalZoneClipBoard = [];
  expect(readClipboard()).toEqual({ zones: [], style: null });
  model.select('rules');
  expect(press('v')).toBe(false);
  writeClipboard({ style: { kind: 'text', opacity: 'much' } });
  const before = model.state.scene;
  press('v');
  expect(model.state.scene).toBe(before);
});

it('the account has what was copied last, for a device that has copied nothing or earlier', () => {
  const [title, rules] = model.state.scene.zones;
  if (!title || !rules) throw new Error('two zones');
  vi.useFakeTimers({ now: 1_000 });
  writeClipboard({ zones: [title] });
  kept.clear();
  expect(readClipboard().zones).toEqual([title]);
  const shared = account.globalZoneClipBoard;
  vi.setSystemTime(2_000);
  writeClipboard({ zones: [rules] });
  account.globalZoneClipBoard = shared;
  expect(readClipboard().zones, 'copied here later').toEqual([rules]);
  account.globalZoneClipBoard = [{ at: 3_000, zones: 'no zones' }];
  expect(readClipboard().zones, 'cannot be read').toEqual([rules]);
  vi.useRealTimers();
});

it('zones too large for the account stay in this browser', () => {
  const [title] = model.state.scene.zones;
  if (!title) throw new Error('a zone');
  const large = { ...title, text: 'x'.repeat(4_000) } as TextZone;
  const zones = Array.from({ length: Math.ceil(MAX_SHARED_LENGTH / 4_000) }, () => large);
  writeClipboard({ zones });
  expect(account.globalZoneClipBoard).toEqual([]);
  expect(readClipboard().zones).toHaveLength(zones.length);
});
