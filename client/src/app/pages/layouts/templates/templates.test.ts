import { describe, expect, test } from 'vitest';
import { layout } from '../../../../core/layout/card.ts';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { assetsFor } from '../../../../core/testing/fonts.ts';
import { sampleCells } from '../../../../data/layouts/sample-row.ts';
import { templates } from './templates.ts';

test('there are about twenty, each with a name of its own', () => {
  expect(templates().length).toBeGreaterThanOrEqual(20);
  expect(new Set(templates().map(({ id }) => id)).size).toBe(templates().length);
  expect(new Set(templates().map(({ name }) => name)).size).toBe(templates().length);
});

describe.each(templates().map((one) => [one.name, one] as const))('%s', (_, { layout: document, sample }) => {
  test('is a valid document with ids of its own', () => {
    expect(layoutSchema.parse(document)).toEqual(document);
  });

  test('shows its sample without any trouble, inside the bleed, once it is a layout of its own', async () => {
    const row = { cells: sampleCells(document) };
    expect(row.cells).toEqual(sample);
    const columns = Object.keys(sample).map((name) => ({ key: name, name }));
    const list = layout(document, row, await assetsFor(document, [row], columns));
    expect(list.issues).toEqual([]);
    for (const { box } of list.zones) {
      expect(box.x).toBeGreaterThanOrEqual(-document.bleed - 0.1);
      expect(box.x + box.w).toBeLessThanOrEqual(document.size.w + document.bleed + 0.1);
    }
  });

  test('keeps every text it is given inside the safe margin or on its own ground', async () => {
    const row = { cells: sample };
    const list = layout(document, row, await assetsFor(document, [row]));
    for (const { kind, box, text } of list.zones) {
      if (kind !== 'text' || text === '') continue;
      expect(box.y).toBeGreaterThanOrEqual(-1);
      expect(box.y + box.h).toBeLessThanOrEqual(document.size.h + 1);
    }
  });
});
