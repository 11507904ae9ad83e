import * as z from 'zod';
import { ImpositionError } from '../core/imposition/error.ts';
import { DEFAULT_TEMPLATE, safeName, UniqueNames, unknownTokens } from '../core/imposition/file-names.ts';
import { imageEntries, MAX_DPI } from '../core/imposition/image-files.ts';
import type { BundleEntry } from '../core/imposition/painting.ts';
import type { PrintPart } from '../core/imposition/print-job.ts';
import type { PrintSettings } from '../core/imposition/settings.ts';
import { printerEntries, printerPdf } from '../core/printers/printer-job.ts';
import { fittingProducts, PRINTERS, type Product, sizesOffered } from '../core/printers/products.ts';
import { notebookPage } from '../core/tabletop/extras.ts';
import { NO_FIELDS, planSave, saveEntries, tablePart, usualShape } from '../core/tabletop/package.ts';
import type { TtsSave } from '../core/tabletop/save.ts';
import { playingCardsEntries, screentopEntries, tabletopiaEntries } from '../core/tabletop/sets.ts';
import { DEFAULT_SIMULATOR_SETTINGS } from '../core/tabletop/simulator.ts';
import type { LoadedProject } from './project.ts';
import { StoreError } from './store.ts';

/** Export formats, by the names that the command line and the callable function take. */
export const FORMATS = {
  pdf: 'sheets to print',
  png: 'a ZIP of pictures',
  webp: 'a ZIP of pictures',
  jpeg: 'a ZIP of pictures',
  tts: 'a save of Tabletop Simulator with its pictures',
  tabletopia: 'a set of pictures',
  screentop: 'grids of pictures',
  pcio: 'pictures and a table for playingcards.io',
  mpc: 'pictures for MakePlayingCards',
  tgc: 'pictures for The Game Crafter',
  dtc: 'a PDF for DriveThruCards',
} as const;
export type Format = keyof typeof FORMATS;

const IMAGE_TYPES = { png: 'image/png', webp: 'image/webp', jpeg: 'image/jpeg' } as const;
/** Dots per inch of images for virtual tables. */
const SET_DPI = 200;
const IMAGE_DPI = 300;

export const optionsSchema = z.strictObject({
  format: z.enum(Object.keys(FORMATS) as [Format, ...Format[]]).default('pdf'),
  /**
   * Dots per inch of images, and of effects in a PDF that become images; left out: 300, and the print settings' value.
   */
  dpi: z.number().min(10).max(MAX_DPI).optional(),
  quality: z.number().int().min(1).max(100).default(90),
  bleed: z.boolean().default(false),
  /** Keep square corners. */
  square: z.boolean().default(false),
  noBacks: z.boolean().default(false),
  /** An image for every copy. */
  eachCopy: z.boolean().default(false),
  contactSheet: z.boolean().default(false),
  names: z.string().max(300).default(DEFAULT_TEMPLATE),
  /** The printer's product; by default the first that fits. */
  product: z.string().max(100).optional(),
  /** Splits the PDF into parts of about this many megabytes. */
  splitMb: z.number().positive().max(10_000).optional(),
});
export type ExportOptions = z.infer<typeof optionsSchema>;

/** Planned output. */
export type Planned =
  | {
      readonly kind: 'pdf';
      readonly parts: readonly PrintPart[];
      readonly settings: PrintSettings;
      readonly maxBytes: number | undefined;
    }
  | { readonly kind: 'bundle'; readonly entries: readonly BundleEntry[] };

/** @throws StoreError or ImpositionError saying why the project cannot be exported so */
export function planExport(
  project: LoadedProject,
  options: ExportOptions,
  existing: TtsSave | undefined,
): Planned {
  const { format } = options;
  const parts = project.parts.map(({ part }) => part);
  switch (format) {
    case 'pdf': {
      const maxBytes = options.splitMb === undefined ? undefined : options.splitMb * 1e6;
      const settings = { ...project.settings, ...(options.dpi !== undefined && { rasterDpi: options.dpi }) };
      return { kind: 'pdf', parts, settings, maxBytes };
    }
    case 'png':
    case 'webp':
    case 'jpeg':
      return bundle(imageFiles(parts, IMAGE_TYPES[format], options));
    case 'tts':
      return bundle(simulator(project, existing));
    case 'tabletopia':
      return bundle(tabletopiaEntries(parts, SET_DPI));
    case 'screentop':
      return bundle(screentopEntries(parts, SET_DPI));
    case 'pcio':
      return bundle(playingCardsEntries(parts, SET_DPI));
    default:
      return printer(parts, format, options.product);
  }
}

function bundle(entries: readonly BundleEntry[]): Planned {
  if (entries.length === 0) throw new StoreError('There is nothing to export: no card has a copy.');
  return { kind: 'bundle', entries };
}

function imageFiles(
  parts: readonly PrintPart[],
  type: (typeof IMAGE_TYPES)[keyof typeof IMAGE_TYPES],
  options: ExportOptions,
): BundleEntry[] {
  for (const { name, columns } of parts) {
    const [unknown] = unknownTokens(options.names, columns);
    if (unknown !== undefined) {
      throw new StoreError(`Names of files have {{${unknown}}}, and ${name} has no such column.`);
    }
  }
  return imageEntries(parts, {
    type,
    quality: options.quality,
    dpi: options.dpi ?? IMAGE_DPI,
    bleed: options.bleed,
    cut: !options.square,
    backs: !options.noBacks,
    copies: options.eachCopy ? 'each' : 'one',
    template: options.names,
    contactSheet: options.contactSheet,
  });
}

function simulator(project: LoadedProject, existing: TtsSave | undefined): BundleEntry[] {
  const objects = project.parts.flatMap(({ id, component, cards, part }) => {
    const as = usualShape(component.kind);
    if (as === 'notebook') return [];
    return [tablePart(part, { id, cardIds: cards.map((card) => card.id), as }, NO_FIELDS)];
  });
  const notebook = project.parts
    .filter(({ component }) => usualShape(component.kind) === 'notebook')
    .map(({ part }) => notebookPage(part));
  const extras = { notebook, snapPoints: true };
  const made = planSave(objects, DEFAULT_SIMULATOR_SETTINGS, project.name, existing, extras);
  return made ? saveEntries(made, `${safeName(project.name) || 'cards'}.json`) : [];
}

function printer(parts: readonly PrintPart[], format: 'mpc' | 'tgc' | 'dtc', wanted?: string): Planned {
  const house = PRINTERS.find(({ id }) => id === format);
  if (!house) throw new StoreError(`There is no printer ${format}.`);
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
