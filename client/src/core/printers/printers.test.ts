import { describe, expect, test } from 'vitest';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { layout as layCard } from '../layout/card.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { printerEntries, printerPdf, safeMm } from './printer-job.ts';
import { fittingProducts, PRODUCTS } from './products.ts';
import { safeFaults } from './safe-zone.ts';

const part = (w: number, h: number, back = true): PrintPart => {
  const size = { preset: 'custom', w, h, shape: 'rounded', radius: 3 } as const;
  return {
    name: 'Cards',
    layout: newLayout('front', size),
    back: back ? newLayout('back', size) : null,
    columns: [{ key: 'n', name: 'Name' }],
    cards: ['Ape', 'Bee'].map((name, index) => ({ row: { cells: { n: name } }, copies: index + 1 })),
  };
};

describe('products', () => {
  test.each(PRODUCTS.map((product) => [product.id, product] as const))(
    '%s: every picture has exactly the canvas of the table, the card centred',
    (_, product) => {
      const entries = printerEntries(part(product.w, product.h), product);
      expect(entries).toHaveLength(4);
      for (const entry of entries) {
        if (entry.kind !== 'painting') throw new Error('not a picture');
        const { width, height, items } = entry.painting;
        expect({ width, height }).toEqual(product.canvas);
        const [item] = items;
        const trim = (product.w * 300) / 25.4;
        expect(item?.x).toBeCloseTo((width - trim) / 2, 6);
        // Bleed reaches every edge.
        const reach = (item?.bleed ?? 0) * (item?.scale ?? 0);
        expect(reach).toBeGreaterThanOrEqual(Math.max(item?.x ?? 0, item?.y ?? 0) - 1e-6);
      }
      expect(entries.map(({ name }) => name)).toEqual([
        'fronts/1 Ape 1.png',
        'fronts/2 Bee 1.png',
        'fronts/2 Bee 2.png',
        'backs/back.png',
      ]);
    },
  );

  test('MakePlayingCards has 36 pixels of bleed all round', () => {
    for (const { w, h, canvas } of PRODUCTS.filter(({ printer }) => printer === 'mpc')) {
      expect(Math.abs(canvas.width - (w / 25.4) * 300 - 72)).toBeLessThanOrEqual(1);
      expect(Math.abs(canvas.height - (h / 25.4) * 300 - 72)).toBeLessThanOrEqual(1.5);
    }
  });

  test('The Game Crafter’s euro sizes are its own, not the sum of trim and bleed', () => {
    const [euro] = fittingProducts('tgc', { w: 63, h: 88 });
    expect(euro?.canvas).toEqual({ width: 825, height: 1125 });
  });

  test('cards of another size are refused with the sizes there are', () => {
    const [poker] = PRODUCTS;
    if (!poker) throw new Error('no products');
    expect(() => printerEntries(part(100, 100), poker)).toThrow(
      /measure 100 × 100 mm; MakePlayingCards prints Poker size at 63.5 × 88.9 mm.*Domino size/,
    );
  });

  test('a board that lies is turned to stand as the printer wants it, and its back comes out as its front lies', () => {
    const bi = PRODUCTS.find(({ id }) => id === 'tgc-board-bi-fold');
    if (!bi) throw new Error('no such product');
    const turns = (w: number, h: number) =>
      printerEntries(part(w, h), bi)
        .slice(2)
        .map((entry) =>
          entry.kind === 'painting'
            ? [
                entry.name.split('/')[0],
                entry.painting.items[0]?.turn,
                entry.painting.width,
                entry.painting.height,
              ]
            : [],
        );
    expect(turns(228.6, 457.2)).toEqual([
      ['fronts', 0, 2_775, 5_475],
      ['backs', 0, 2_775, 5_475],
    ]);
    expect(turns(457.2, 228.6)).toEqual([
      ['fronts', 90, 2_775, 5_475],
      ['backs', 270, 2_775, 5_475],
    ]);
    const dtc = PRODUCTS.find(({ id }) => id === 'dtc-poker');
    expect(() => dtc && printerPdf(part(88.9, 63.5), dtc)).toThrow(/measure 88.9 × 63.5 mm/);
  });

  test('DriveThruCards: pages of 2.75 × 3.75 inches, and no card without a back', () => {
    const product = PRODUCTS.find(({ printer }) => printer === 'dtc');
    if (!product) throw new Error('no product');
    const job = printerPdf(part(63.5, 88.9), product);
    expect(63.5 + 2 * (job.part.layout.bleed as number)).toBeCloseTo(2.75 * 25.4, 6);
    expect(job.part.layout.name).toBe('back');
    expect(job.part.back?.name).toBe('front');
    expect(() => printerPdf(part(63.5, 88.9, false), product)).toThrow(/no back/);
    expect(safeMm(product)).toBeCloseTo(3.175, 6);
  });
});

test('text too near the cut is named with its distance, turned or not', async () => {
  const layout = newLayout('x');
  const near = newZone('text', 'a', 'A', { x: 1, y: 20, w: 30, h: 8 });
  near.text = 'Too near';
  const fine = newZone('text', 'b', 'B', { x: 10, y: 40, w: 30, h: 8 });
  fine.text = 'Far enough';
  const turned = {
    ...newZone('text', 'c', 'C', { x: 47, y: 60, w: 30, h: 6 }),
    rotation: 90,
    text: 'On its side',
  };
  layout.zones = [near, fine, turned];
  const list = layCard(layout, { cells: {} }, await assetsFor(layout, []));
  const faults = safeFaults(list, 3.175);
  expect(faults.map(({ text }) => text)).toEqual(['Too near', 'On its side']);
  expect(faults[0]?.distance).toBeCloseTo(1, 1);
});
