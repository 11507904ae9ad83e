import { ImpositionError } from '../imposition/error.ts';
import { fileName, UniqueNames } from '../imposition/images/file-names.ts';
import { cardPainting, isStatic } from '../imposition/images/image-files.ts';
import type { BundleEntry, Encoding } from '../imposition/images/painting.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { DEFAULT_PRINT_SETTINGS, type PrintSettings } from '../imposition/settings.ts';
import { EMPTY_ROW, type Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { PRINTER_DPI, PRINTERS, type Product, sizesOffered, turnFor } from './products.ts';

const ENCODING: Encoding = { type: 'image/png', quality: 1, dpi: PRINTER_DPI };
const MM_PER_PX = 25.4 / PRINTER_DPI;

/** @throws ImpositionError when the cards are of another size */
function turnOf(part: PrintPart, product: Product): 0 | 90 {
  const turn = turnFor(product, part.layout.size);
  if (turn !== undefined) return turn;
  const printer = PRINTERS.find(({ id }) => id === product.printer);
  const { w, h } = part.layout.size;
  throw new ImpositionError(
    `${part.name || 'These cards'} measure ${w} × ${h} mm; ${printer?.name ?? 'this printer'} prints ${product.name} at ${product.w} × ${product.h} mm. Give the layout one of its sizes: ${sizesOffered(product.printer)}.`,
  );
}

/**
 * Images exactly as a printer wants them: `fronts` and `backs`, one for every copy, so that the number of files is the
 * number of cards; a shared back once.
 * @throws ImpositionError when the cards are of another size, or have no back
 */
export function printerEntries(part: PrintPart, product: Product): BundleEntry[] {
  const turn = turnOf(part, product);
  const entries: BundleEntry[] = [];
  const painting = (side: 'fronts' | 'backs', name: string, layout: Layout, row: Row): BundleEntry => ({
    name: `${side}/${name}`,
    kind: 'painting',
    painting: cardPainting({ layout, columns: part.columns }, row, {
      dpi: PRINTER_DPI,
      bleed: 0,
      clipToTrim: false,
      opaque: true,
      size: product.canvas,
      // Turned over about its upright side, a back comes out as the front lies.
      turn: side === 'backs' && turn === 90 ? 270 : turn,
    }),
    encoding: ENCODING,
  });
  const { back } = part;
  const shared = back !== null && isStatic(back);
  const names = new UniqueNames();
  for (const [index, { row: cells, copies }] of part.cards.entries()) {
    const row = { index: index + 1, count: part.cards.length, ...cells };
    for (let copy = 1; copy <= copies; copy++) {
      const context = { component: part.name, columns: part.columns, row, card: index, copy };
      const name = fileName('{{number}} {{Name}} {{copy}}', { ...context, count: part.cards.length });
      const file = names.take(name, '.png');
      entries.push(painting('fronts', file, part.layout, row));
      if (back && !shared) entries.push(painting('backs', file, back, row));
    }
  }
  if (back && shared) entries.push(painting('backs', 'back.png', back, EMPTY_ROW));
  return entries;
}

/**
 * One PDF as DriveThruCards wants it, except its colour space: pages of the canvas's size, back and front of each card
 * in turn.
 * @throws ImpositionError when the cards are of another size, or have no back
 */
export function printerPdf(
  part: PrintPart,
  product: Product,
): { readonly part: PrintPart; readonly settings: PrintSettings } {
  turnOf(part, product);
  const { back } = part;
  if (!back) {
    throw new ImpositionError(
      `${part.name || 'These cards'} have no back, and the printer wants one for every card: choose a layout for the backs.`,
    );
  }
  const bleed = ((product.canvas.width - product.w / MM_PER_PX) / 2) * MM_PER_PX;
  const sized = (layout: Layout): Layout => ({ ...layout, bleed });
  return {
    // The back comes first, so that the front is the second page.
    part: { ...part, layout: sized(back), back: sized(part.layout) },
    settings: {
      ...DEFAULT_PRINT_SETTINGS,
      arrangement: 'single',
      bleed: true,
      backs: { ...DEFAULT_PRINT_SETTINGS.backs, mode: 'separate', own: true },
      marks: { ...DEFAULT_PRINT_SETTINGS.marks, kind: 'none' },
    },
  };
}

/** Distance from the trim within which nothing important may lie, in millimetres. */
export const safeMm = ({ safe }: Product): number => safe * MM_PER_PX;
