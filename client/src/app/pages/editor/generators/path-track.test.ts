import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SPACE_ROLES } from '../../../../core/board/space.ts';
import { spacesOf } from '../../../../core/layout/laid-spaces.ts';
import { EMPTY_ROW } from '../../../../core/scene/card/row.ts';
import { type Layout, layoutSchema } from '../../../../core/scene/layout.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import type { PathZone } from '../../../../core/scene/zones/path.ts';
import { newZone } from '../../../../core/scene/zones.ts';
import { EditorModel } from '../state/editor-store.ts';
import { allZones } from '../state/zones/zones.ts';
import { goesOn, regenerate } from './generation.ts';
import { drawPathSpaces } from './path-track.ts';

const SIZE = { preset: 'custom', w: 254, h: 254, shape: 'rect' as const, radius: 0 };

const paths: fc.Arbitrary<PathZone> = fc
  .record({
    points: fc.array(
      fc.record({
        x: fc.double({ min: 0, max: 1, noNaN: true }),
        y: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      {
        minLength: 2,
        maxLength: 6,
      },
    ),
    smooth: fc.boolean(),
    closed: fc.boolean(),
    rotation: fc.constantFrom(0, 30, 90),
    flipX: fc.boolean(),
    count: fc.integer({ min: 1, max: 200 }),
    size: fc.integer({ min: 1, max: 40 }),
    role: fc.constantFrom(...SPACE_ROLES),
    holds: fc.nat(5),
  })
  .map(({ count, size, role, holds, ...rest }) => {
    const path = newZone('path', 'path', 'Road', { x: 40, y: 50, w: 120, h: 90 });
    return { ...path, ...rest, spaces: { ...path.spaces, count, size, role, holds } } as PathZone;
  });

/** The spaces without the zones that they come from. */
const spaces = (scene: Layout) =>
  spacesOf(scene, EMPTY_ROW, []).map((space) => ({ ...space, id: undefined, zone: undefined }));

/** A matcher for a value whose numbers may differ by less than half a thousandth. */
const nearly = (value: unknown): unknown => {
  if (typeof value === 'number') return expect.closeTo(value, 3);
  if (Array.isArray(value)) return value.map(nearly);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, nearly(one)]));
};

function drawn(path: PathZone) {
  const model = new EditorModel({ ...newLayout('Board', SIZE), zones: [path] });
  const before = model.state.scene;
  drawPathSpaces(model, path);
  return { model, before };
}

test('drawn spaces of a path are the spaces that it had, where it had them, and one undo gives them back', () => {
  fc.assert(
    fc.property(paths, (path) => {
      const { model, before } = drawn(path);
      expect(spaces(model.state.scene)).toEqual(nearly(spaces(before)));
      expect(layoutSchema.safeParse(model.state.scene).error?.issues ?? []).toEqual([]);
      const zones = allZones(model.state.scene.zones);
      expect(zones.filter(({ kind }) => kind === 'text')).toHaveLength(path.spaces.count);
      expect(zones.filter(({ kind }) => kind === 'shape')).toHaveLength(path.spaces.count);
      model.undo();
      expect(model.state.scene).toEqual(before);
    }),
    { numRuns: 60 },
  );
});

test('they follow the settings of a track, along the line', () => {
  const [path] = fc.sample(paths, { numRuns: 1, seed: 3 });
  if (!path) throw new Error('no path');
  const { model } = drawn(path);
  const { generation } = model.state;
  if (!generation) throw new Error('nothing was drawn');
  expect(goesOn(model, generation)).toBe(true);
  regenerate(model, generation, { ...(generation.settings as object), count: 5, from: 10, round: false });
  const texts = allZones(model.state.scene.zones).flatMap((zone) =>
    zone.kind === 'text' ? [zone.text] : [],
  );
  expect(texts).toEqual(['10', '11', '12', '13', '14']);
  expect(allZones(model.state.scene.zones).some(({ kind }) => kind === 'shape')).toBe(false);
});
