import * as z from 'zod';
import { DEFAULT_TEMPLATE } from '../core/imposition/images/file-names.ts';
import { MAX_DPI } from '../core/imposition/images/image-files.ts';
import type { BundleEntry } from '../core/imposition/images/painting.ts';
import type { PrintPart } from '../core/imposition/job/print-job.ts';
import { boardsSchema, type PrintSettings } from '../core/imposition/settings.ts';
import type { Issue } from '../core/scene/display/display-list.ts';
import type { TtsSave } from '../core/tabletop/save.ts';
import type { LoadedProject } from './project/project.ts';
import type { LoadedRulebook } from './project/rulebook.ts';
import { StoreError } from './project/store.ts';

/** Options of an export beside its format. */
export const settingsSchema = z.strictObject({
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
  /** Title or id of a rulebook. */
  rulebook: z.string().min(1).max(1_500).optional(),
  /** Tag of a language that it is translated into; left out: its own. */
  language: z.string().min(1).max(100).optional(),
  /** Splits the PDF into parts of about this many megabytes. */
  splitMb: z.number().positive().max(10_000).optional(),
  /** Boards in a PDF; left out: as the print settings say. */
  boards: boardsSchema.partial().optional(),
});
export type ExportSettings = z.infer<typeof settingsSchema>;

/** Planned output. */
export type Planned =
  | {
      readonly kind: 'pdf';
      readonly parts: readonly PrintPart[];
      readonly settings: PrintSettings;
      readonly maxBytes: number | undefined;
    }
  | { readonly kind: 'bundle'; readonly entries: readonly BundleEntry[] }
  | { readonly kind: 'rulebook'; readonly rulebook: LoadedRulebook };

export interface Remark {
  /** Part, card or file. */
  readonly where: string;
  readonly issue: Pick<Issue, 'message'>;
}

export interface Made {
  /** Pages of a PDF, files of a bundle. */
  readonly pages: number;
  readonly cards: number;
  readonly remarks: readonly Remark[];
}

/** One format of the command line and of the callable function `exportDeck`. */
export interface Format {
  /** The output in a few words, for help. */
  readonly summary: string;
  /** Kind of the file made. */
  ending(settings: Pick<ExportSettings, 'splitMb'>): 'pdf' | 'zip';
  /** The format in the file's name, where its ending does not say it; empty otherwise. */
  readonly named: string;
  /** True if an earlier save can be brought up to date. */
  readonly updates: boolean;
  /** A rulebook of the project in it: always, or if one is named; never when left out. */
  readonly rulebook?: 'needed' | 'if-named';
  /** @throws StoreError or ImpositionError saying why the project cannot be exported so */
  plan(project: LoadedProject, settings: ExportSettings, existing: TtsSave | undefined): Planned;
}

/** A plan of files made one by one into a ZIP. */
export function bundle(entries: readonly BundleEntry[]): Planned {
  if (entries.length === 0) throw new StoreError('There is nothing to export: no card has a copy.');
  return { kind: 'bundle', entries };
}

export const partsOf = (project: LoadedProject): PrintPart[] => project.parts.map(({ part }) => part);
