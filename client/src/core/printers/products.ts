/**
 * Products of printers and the exact canvas each wants, one line a product. Numbers are the printers' own (pixels at
 * 300 dpi) and not computed: several are rounded or differ from their own rule. Products whose numbers could not be
 * traced to the printer or to files it accepts are not listed.
 */

export const PRINTER_DPI = 300;

export interface Printer {
  readonly id: 'mpc' | 'tgc' | 'dtc';
  readonly name: string;
  /** Kind of file delivered. */
  readonly delivers: 'zip' | 'pdf';
  /** Instructions for sending the file. */
  readonly note: string;
}

export interface Product {
  readonly id: string;
  readonly printer: Printer['id'];
  readonly name: string;
  /** Trim in millimetres. */
  readonly w: number;
  readonly h: number;
  /** Canvas with its bleed. */
  readonly canvas: { readonly width: number; readonly height: number };
  /** Pixels from the trim to the safe zone. */
  readonly safe: number;
}

export const PRINTERS: readonly Printer[] = [
  {
    id: 'mpc',
    name: 'MakePlayingCards',
    delivers: 'zip',
    note: 'Fronts and backs as PNG, RGB, with 36 pixels of bleed; they are uploaded separately.',
  },
  {
    id: 'tgc',
    name: 'The Game Crafter',
    delivers: 'zip',
    note: 'Fronts and backs as PNG, RGB, with 1/8 inch of bleed.',
  },
  {
    id: 'dtc',
    name: 'DriveThruCards',
    delivers: 'pdf',
    note: 'One PDF, back and front of each card in turn. It asks for PDF/X-1a in CMYK with at most 240 % ink, which is not made here: this PDF is RGB. Convert it (Acrobat, Affinity Publisher or Ghostscript with the printer’s profile) before you upload it.',
  },
];

const mpc = (id: string, name: string, w: number, h: number, width: number, height: number): Product => ({
  id: `mpc-${id}`,
  printer: 'mpc',
  name,
  w,
  h,
  canvas: { width, height },
  safe: 36,
});
const tgc = (id: string, name: string, w: number, h: number, width: number, height: number): Product => ({
  id: `tgc-${id}`,
  printer: 'tgc',
  name,
  w,
  h,
  canvas: { width, height },
  safe: 37.5,
});

export const PRODUCTS: readonly Product[] = [
  mpc('poker', 'Poker size', 63.5, 88.9, 822, 1122),
  mpc('standard', 'Game cards, 63 × 88 mm', 63, 88, 816, 1110),
  mpc('domino', 'Domino size', 44.45, 88.9, 597, 1122),
  tgc('poker', 'Poker deck', 63.5, 88.9, 825, 1125),
  tgc('euro-poker', 'Euro poker deck', 63, 88, 825, 1125),
  tgc('bridge', 'Bridge deck', 57.15, 88.9, 750, 1125),
  tgc('us-game', 'US game deck', 56, 87, 750, 1125),
  tgc('tarot', 'Tarot deck', 69.85, 120.65, 900, 1500),
  tgc('mini', 'Mini deck', 44.45, 63.5, 600, 825),
  tgc('micro', 'Micro deck', 31.75, 44.45, 450, 600),
  tgc('square-small', 'Small square deck', 63.5, 63.5, 825, 825),
  tgc('square-euro', 'Euro square deck', 70, 70, 900, 900),
  tgc('square-large', 'Square deck', 88.9, 88.9, 1125, 1125),
  tgc('jumbo', 'Jumbo deck', 88.9, 139.7, 1125, 1725),
  tgc('business', 'Business deck', 50.8, 88.9, 675, 1125),
  tgc('domino', 'Domino deck', 44.45, 88.9, 600, 1125),
  tgc('circle', 'Circle deck', 88.9, 88.9, 1125, 1125),
  tgc('hex', 'Hex deck', 95.25, 82.55, 1200, 1050),
  tgc('chit-square-small', 'Small square chit', 12.7, 12.7, 225, 225),
  tgc('chit-square-medium', 'Medium square chit', 19.05, 19.05, 300, 300),
  tgc('chit-square-large', 'Large square chit', 25.4, 25.4, 375, 375),
  tgc('tile-hex-mini', 'Mini hex tile', 31.75, 27.43, 450, 450),
  tgc('tile-hex-small', 'Small hex tile', 50.8, 44.45, 675, 600),
  tgc('board-quarter', 'Quarter board', 127, 127, 1575, 1575),
  tgc('board-square', 'Square board', 203.2, 203.2, 2475, 2475),
  tgc('board-large-square', 'Large square board', 254, 254, 3075, 3075),
  tgc('board-half', 'Half board', 127, 254, 1575, 3075),
  tgc('board-bi-fold', 'Bi-fold board', 228.6, 457.2, 2775, 5475),
  tgc('board-quad-fold', 'Quad-fold board', 457.2, 457.2, 5475, 5475),
  tgc('board-six-fold', 'Six-fold board', 685.8, 457.2, 8175, 5475),
  {
    id: 'dtc-poker',
    printer: 'dtc',
    name: 'Premium poker cards',
    w: 63.5,
    h: 88.9,
    canvas: { width: 825, height: 1125 },
    safe: 37.5,
  },
];

export function productsOf(printer: Printer['id']): Product[] {
  return PRODUCTS.filter((product) => product.printer === printer);
}

/** Largest difference between a card's trim and a product's, in millimetres: printers round theirs. */
const TRIM_TOLERANCE_MM = 0.6;

/** Products of a printer that fit a card, in either orientation. */
export function fittingProducts(
  printer: Printer['id'],
  size: { readonly w: number; readonly h: number },
): Product[] {
  return productsOf(printer).filter((product) => fits(product, size));
}

export const fits = (product: Product, size: { readonly w: number; readonly h: number }): boolean =>
  turnFor(product, size) !== undefined;

/**
 * Degrees clockwise that a card's front must be turned to fit a product; undefined when it does not fit. Only images
 * are turned.
 */
export function turnFor(
  { w, h, printer }: Product,
  size: { readonly w: number; readonly h: number },
): 0 | 90 | undefined {
  const alike = (one: number, other: number): boolean => Math.abs(one - other) <= TRIM_TOLERANCE_MM;
  if (alike(w, size.w) && alike(h, size.h)) return 0;
  const turns = PRINTERS.some(({ id, delivers }) => id === printer && delivers === 'zip');
  return turns && alike(w, size.h) && alike(h, size.w) ? 90 : undefined;
}

/** Names of a printer's sizes, for a card that is none of them. */
export function sizesOffered(printer: Printer['id']): string {
  return productsOf(printer)
    .map(({ name, w, h }) => `${name} (${w} × ${h} mm)`)
    .join(', ');
}
