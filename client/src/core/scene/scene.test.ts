import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gallery } from '../testing/gallery.ts';
import { parseColour } from './colour/colour.ts';
import { aboutCentre, applyTo, invert, multiply } from './display/matrix.ts';
import { boundsOf, contains, fitRadii, grow, polygonPoints, rectOutline } from './display/outline.ts';
import { layoutSchema } from './layout.ts';
import { newLayout } from './new-layout.ts';
import { presetSize, SIZE_PRESETS } from './sizes.ts';
import { newZone, ZONES, type ZoneKind, zoneSchema } from './zones.ts';

const BOX = { x: 1, y: 2, w: 30, h: 10 };
const length = fc.double({ min: 0.1, max: 200, noNaN: true });
const place = fc.double({ min: -200, max: 200, noNaN: true });
const boxes = fc.record({ x: place, y: place, w: length, h: length });

describe('the document', () => {
  test.each(Object.keys(ZONES) as ZoneKind[])('a new %s is valid', (kind) => {
    const zone = newZone(kind, 'z1', 'Zone', BOX);
    expect(zone.kind).toBe(kind);
    expect(zoneSchema.parse(zone)).toEqual(zone);
  });

  test('every gallery layout survives a store that keeps plain JSON', () => {
    for (const { layout } of gallery()) {
      const stored = JSON.parse(JSON.stringify(layout)) as unknown;
      expect(layoutSchema.parse(stored)).toEqual(layout);
      expect(hasNestedArray(stored)).toBe(false);
    }
  });

  test('a zone of an unknown kind, or with a length that is no number, is refused', () => {
    expect(zoneSchema.safeParse({ ...newZone('text', 'a', 'A', BOX), kind: 'hologram' }).success).toBe(false);
    expect(zoneSchema.safeParse({ ...newZone('shape', 'a', 'A', BOX), w: Number.NaN }).success).toBe(false);
    const nested = { ...newZone('container', 'c', 'C', BOX), children: [{ kind: 'text' }] };
    expect(zoneSchema.safeParse(nested).success).toBe(false);
  });

  test('presets have their own ids and turn on their side', () => {
    expect(new Set(SIZE_PRESETS.map(({ id }) => id)).size).toBe(SIZE_PRESETS.length);
    expect(presetSize('poker')).toMatchObject({ w: 63.5, h: 88.9, shape: 'rounded' });
    expect(presetSize('poker', true)).toMatchObject({ w: 88.9, h: 63.5 });
    expect(presetSize('nothing')).toBeUndefined();
    expect(newLayout('x').size.preset).toBe('poker');
  });
});

function hasNestedArray(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => Array.isArray(item) || hasNestedArray(item));
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNestedArray);
}

describe('colours', () => {
  test.each([
    ['#f00', [255, 0, 0, 1]],
    ['#FF000080', [255, 0, 0, 128 / 255]],
    ['rebeccapurple', [102, 51, 153, 1]],
    [' Red ', [255, 0, 0, 1]],
    ['rgb(1, 2, 3)', [1, 2, 3, 1]],
    ['rgba(100% 0% 50% / 25%)', [255, 0, 128, 0.25]],
    ['hsl(120, 100%, 50%)', [0, 255, 0, 1]],
    ['transparent', [0, 0, 0, 0]],
  ])('%s', (text, expected) => expect(parseColour(text)).toEqual(expected));

  test.each(['', '#12', '#ggg', 'reddish', 'rgb(1,2)', 'constructor', 'rgb(a,b,c)', 'url(x)'])(
    '«%s» is none',
    (text) => expect(parseColour(text)).toBeUndefined(),
  );
});

describe('geometry', () => {
  test('rotation turns clockwise about the centre and can be undone', () => {
    expect(applyTo(aboutCentre({ x: 0, y: 0, w: 4, h: 2 }, 90, false, false), { x: 0, y: 0 })).toEqual({
      x: 3,
      y: -1,
    });
    fc.assert(
      fc.property(boxes, place, fc.boolean(), fc.boolean(), place, place, (box, turn, flipX, flipY, x, y) => {
        const matrix = aboutCentre(box, turn, flipX, flipY);
        const back = invert(matrix);
        const point = applyTo(multiply(back ?? matrix, matrix), { x, y });
        expect(point.x).toBeCloseTo(x, 6);
        expect(point.y).toBeCloseTo(y, 6);
      }),
    );
  });

  test('radii never overlap and keep their proportion', () => {
    const radius = fc.double({ min: 0, max: 300, noNaN: true });
    fc.assert(
      fc.property(boxes, fc.tuple(radius, radius, radius, radius), (box, radii) => {
        const [tl, tr, br, bl] = fitRadii(radii, box) as unknown as [number, number, number, number];
        const slack = 1e-9 * (1 + box.w + box.h);
        expect(tl + tr).toBeLessThanOrEqual(box.w + slack);
        expect(br + bl).toBeLessThanOrEqual(box.w + slack);
        expect(tl + bl).toBeLessThanOrEqual(box.h + slack);
        expect(tr + br).toBeLessThanOrEqual(box.h + slack);
      }),
    );
  });

  test('polygons touch all four sides of their box', () => {
    fc.assert(
      fc.property(boxes, fc.integer({ min: 3, max: 20 }), (box, corners) => {
        const bounds = boundsOf({ kind: 'polygon', points: polygonPoints(box, corners, null) });
        for (const key of ['x', 'y', 'w', 'h'] as const) expect(bounds[key]).toBeCloseTo(box[key], 6);
      }),
    );
  });

  test('a rounded corner is outside, the middle inside', () => {
    const outline = rectOutline({ x: 0, y: 0, w: 20, h: 10 }, [5, 0, 0, 0]);
    expect(contains(outline, { x: 0.5, y: 0.5 })).toBe(false);
    expect(contains(outline, { x: 19.5, y: 0.5 })).toBe(true);
    expect(contains(outline, { x: 10, y: 5 })).toBe(true);
    expect(contains(outline, { x: 21, y: 5 })).toBe(false);
  });

  test('growing and shrinking by the same gives the box back', () => {
    fc.assert(
      fc.property(boxes, fc.double({ min: 0, max: 10, noNaN: true }), (box, by) => {
        const back = boundsOf(grow(grow(rectOutline(box), by), -by));
        for (const key of ['x', 'y', 'w', 'h'] as const) expect(back[key]).toBeCloseTo(box[key], 6);
      }),
    );
  });
});
