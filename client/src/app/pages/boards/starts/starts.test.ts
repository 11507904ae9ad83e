import { describe, expect, test } from 'vitest';
import { layout } from '../../../../core/layout/card.ts';
import { spacesOf } from '../../../../core/layout/spaces.ts';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { assetsFor } from '../../../../core/testing/fonts.ts';
import { boardStarts } from './starts.ts';

const EMPTY_ROW = { cells: {} };

test('there are at least twelve, each with a name and an id of its own', () => {
  const starts = boardStarts();
  expect(starts.length).toBeGreaterThanOrEqual(12);
  expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length);
  expect(new Set(starts.map(({ name }) => name)).size).toBe(starts.length);
});

describe.each(boardStarts().map((one) => [one.name, one] as const))('%s', (_, { layout: document }) => {
  test('is a valid document', () => {
    expect(layoutSchema.parse(document)).toEqual(document);
  });

  test('is painted without any trouble, inside its trim', async () => {
    const list = layout(document, EMPTY_ROW, await assetsFor(document, [EMPTY_ROW]));
    expect(list.issues).toEqual([]);
    for (const { box, id } of list.zones) {
      expect(box.x, id).toBeGreaterThanOrEqual(-0.1);
      expect(box.y, id).toBeGreaterThanOrEqual(-0.1);
      expect(box.x + box.w, id).toBeLessThanOrEqual(document.size.w + 0.1);
      expect(box.y + box.h, id).toBeLessThanOrEqual(document.size.h + 0.1);
    }
  });

  test('has spaces for pieces, each with a name of its own', () => {
    const names = spacesOf(document, EMPTY_ROW, []).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });
});
