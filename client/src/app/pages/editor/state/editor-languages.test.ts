import { beforeEach, expect, test } from 'vitest';
import { mergeLayouts } from '../../../../core/scene/changes/merge.ts';
import { ownPaths } from '../../../../core/scene/language-view.ts';
import { type Layout, layoutSchema } from '../../../../core/scene/layout.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import type { TextZone } from '../../../../core/scene/zones/text.ts';
import { newZone } from '../../../../core/scene/zones.ts';
import { EditorModel } from './editor-store.ts';
import { mirrorZones } from './edits/mirror-zones.ts';

let model: EditorModel;
const first = ({ zones }: Layout): TextZone => zones[0] as TextZone;
const shown = (): TextZone => first(model.state.scene);
const stored = (): TextZone => first(model.state.document);

beforeEach(() => {
  const layout = newLayout('L');
  const zones = ['a', 'b'].map((id) => newZone('text', id, id, { x: 5, y: 5, w: 20, h: 10 }));
  model = new EditorModel(layoutSchema.parse({ ...layout, zones }));
});

test('without a language what is shown is the stored layout itself', () => {
  model.actOn<TextZone>('a', (zone) => {
    zone.x = 9;
  });
  expect(model.state.scene).toBe(model.state.document);
  model.showLanguage('ar');
  model.showLanguage(null);
  expect(model.state.scene).toBe(model.state.document);
  expect(stored().languages).toBeUndefined();
});

test('a drag in a language moves the zone there alone, and undo takes it back in any language', () => {
  model.showLanguage('ja');
  model.showPreview({ a: { x: 30, y: 8, w: 20, h: 10, rotation: 0 } });
  model.commitPreview();
  expect([shown().x, stored().x]).toEqual([30, 5]);
  expect(ownPaths(stored(), 'ja')).toEqual(['x', 'y']);
  model.showLanguage(null);
  expect(shown().x).toBe(5);
  model.undo();
  expect(stored().languages).toBeUndefined();
  model.redo();
  model.showLanguage('ja');
  expect(shown().x).toBe(30);
});

test('a font that is chosen in a language is named by the layout, and set there alone', () => {
  const file = { family: 'own-abc', name: 'Mine', url: '/v0/b/x/o/1', weight: 400, italic: false };
  model.showLanguage('ja');
  model.setFont(['a'], 'own-abc', [file]);
  expect(shown().style.family).toBe('own-abc');
  expect(stored().style.family).toBe('eb-garamond');
  expect(model.state.document.fonts).toEqual([file]);
});

test('what somebody else changes meanwhile is shown, with what the language has of its own', () => {
  model.showLanguage('ja');
  model.actOn<TextZone>('a', (zone) => {
    zone.style.size = 7;
  });
  const before = model.state.document;
  const theirs = structuredClone(before);
  const zone = first(theirs);
  Object.assign(zone, { x: 40, languages: { ...zone.languages, ar: { w: 9 } } });
  model.actOn<TextZone>('a', (one) => {
    one.h = 3;
  });
  model.takeOver(mergeLayouts(before, model.state.document, theirs, 'mine'));
  expect(shown()).toMatchObject({ x: 40, h: 3, style: { size: 7 } });
  expect(stored().languages).toEqual({ ja: { h: 3, style: { size: 7 } }, ar: { w: 9 } });
});

test('zones can be mirrored in a language; locked ones stay, and mirroring again puts them back', () => {
  model.actOn('b', (zone) => {
    zone.locked = true;
  });
  model.showLanguage('ar');
  mirrorZones(model);
  expect(shown().x).toBe(model.state.scene.size.w - 25);
  expect(model.state.scene.zones[1]?.x).toBe(5);
  mirrorZones(model);
  expect(stored().languages).toBeUndefined();
});
