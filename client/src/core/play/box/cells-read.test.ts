import { expect, test } from 'vitest';
import { layout } from '../../layout/card.ts';
import { assetsFor } from '../../testing/fonts.ts';
import { gallery } from '../../testing/gallery.ts';
import { STARFORGED_COLUMNS, starforgedLayout, starforgedRows } from '../../testing/starforged.ts';
import { rowRead } from './cells-read.ts';

const IMAGES = { size: () => ({ w: 96, h: 64 }) };
/** A cell that no layout of the tests names. */
const SECRET = { 'the designer’s notes': 'secret' };

test.each(gallery().map((card) => [card.name, card] as const))(
  '%s looks the same with the cells that it reads',
  async (_name, card) => {
    const row = { ...card.row, cells: { ...card.row.cells, ...SECRET } };
    const assets = { ...(await assetsFor(card.layout, [row])), images: IMAGES };
    const read = rowRead(card.layout, row, assets.columns);
    expect(JSON.stringify(read)).not.toContain('secret');
    expect(layout(card.layout, read, assets)).toEqual(layout(card.layout, row, assets));
  },
);

test('so do the cards of a real project', async () => {
  const document = starforgedLayout();
  const rows = starforgedRows();
  const assets = { ...(await assetsFor(document, rows, STARFORGED_COLUMNS)), images: IMAGES };
  for (const row of rows) {
    const read = rowRead(document, row, STARFORGED_COLUMNS);
    expect(layout(document, read, assets)).toEqual(layout(document, row, assets));
  }
});
