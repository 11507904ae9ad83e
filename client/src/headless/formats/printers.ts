import { ImpositionError } from '../../core/imposition/error.ts';
import { safeName, UniqueNames } from '../../core/imposition/images/file-names.ts';
import type { PrintPart } from '../../core/imposition/job/print-job.ts';
import { printerEntries, printerPdf } from '../../core/printers/printer-job.ts';
import {
  fittingProducts,
  PRINTERS,
  type Printer,
  type Product,
  sizesOffered,
} from '../../core/printers/products.ts';
import { bundle, type Format, type Planned, partsOf } from '../format.ts';
import { StoreError } from '../project/store.ts';

const formatOf = (house: Printer): Format => ({
  summary: `${house.delivers === 'pdf' ? 'a PDF' : 'pictures'} for ${house.name}`,
  ending: () => house.delivers,
  named: `for ${house.id}`,
  updates: false,
  plan: (project, { product }) => planFor(house, partsOf(project), product),
});

/** A format for each printing house. */
export const PRINTER_FORMATS = Object.fromEntries(
  PRINTERS.map((house) => [house.id, formatOf(house)]),
) as Readonly<Record<Printer['id'], Format>>;

function planFor(house: Printer, parts: readonly PrintPart[], wanted: string | undefined): Planned {
  const [one, ...more] = parts;
  if (!one) throw new StoreError('There is nothing to print.');
  if (house.delivers === 'pdf') {
    if (more.length > 0) {
      throw new StoreError(`${house.name} wants a PDF for each set of cards: name one with --component.`);
    }
    const made = printerPdf(one, productFor(one, house.id, wanted));
    return { kind: 'pdf', parts: [made.part], settings: made.settings, maxBytes: undefined };
  }
  const folders = new UniqueNames();
  return bundle(
    parts.flatMap((part) => {
      const root = more.length > 0 ? `${folders.take(safeName(part.name) || 'component', '')}/` : '';
      const entries = printerEntries(part, productFor(part, house.id, wanted));
      return entries.map((entry) => ({ ...entry, name: `${root}${entry.name}` }));
    }),
  );
}

function productFor(part: PrintPart, house: Product['printer'], wanted: string | undefined): Product {
  const fitting = fittingProducts(house, part.layout.size);
  const product = wanted === undefined ? fitting[0] : fitting.find(({ id }) => id === wanted);
  if (product) return product;
  const { w, h } = part.layout.size;
  const offered =
    fitting.length > 0
      ? `There is: ${fitting.map(({ id }) => id).join(', ')}.`
      : `Give the layout one of its sizes: ${sizesOffered(house)}.`;
  throw new ImpositionError(
    `${part.name} (${w} × ${h} mm): the printer has no such product${wanted ? ` “${wanted}”` : ''}. ${offered}`,
  );
}
