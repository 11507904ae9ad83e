import { describe, expect, test } from 'vitest';
import { layout } from '../../../../core/layout/card.ts';
import { spacesOf } from '../../../../core/layout/laid-spaces.ts';
import { contrast, LEAST_CONTRAST } from '../../../../core/scene/colour/contrast.ts';
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

  test('has numbers on its places that can be read', () => {
    const groups = document.zones.flatMap((zone) => (zone.kind === 'container' ? [zone.children] : []));
    for (const children of groups) {
      for (const [index, text] of children.entries()) {
        const ground = children[index - 1];
        if (text.kind !== 'text' || ground?.kind !== 'space' || ground.fill.kind !== 'solid') continue;
        expect(contrast(ground.fill.color, text.style.color), text.name).toBeGreaterThanOrEqual(
          LEAST_CONTRAST,
        );
      }
    }
  });

  test('has spaces for pieces, each with a name of its own', () => {
    const names = spacesOf(document, EMPTY_ROW, []).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('the rows of a market end as far from the right edge as its deck is from the left one', () => {
  const market = boardStarts().find(({ id }) => id === 'market')?.layout;
  expect(market).toBeDefined();
  const spaces = market ? spacesOf(market, EMPTY_ROW, []) : [];
  const left = Math.min(...spaces.map(({ x, w }) => x - w / 2));
  const right = Math.max(...spaces.map(({ x, w }) => x + w / 2));
  expect((market?.size.w ?? 0) - right).toBeCloseTo(left, 6);
});
