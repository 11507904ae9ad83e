import { expect, test } from 'vitest';
import { assetsFor } from '../testing/fonts.ts';
import { STARFORGED_COLUMNS, starforgedLayout, starforgedRows } from '../testing/starforged.ts';
import { layout } from './card.ts';

test('Starforged cards lay out', async () => {
  const rows = starforgedRows();
  const document = starforgedLayout();
  const assets = await assetsFor(document, rows, STARFORGED_COLUMNS);
  const t = performance.now();
  const lists = rows.map((row) => layout(document, row, assets));
  console.warn(rows.length, (performance.now() - t) / rows.length, 'ms/card');
  console.warn(lists.flatMap((l) => l.issues));
  console.warn(JSON.stringify(lists[0]?.zones, null, 1).slice(0, 2500));
  expect(lists.length).toBe(87);
});
