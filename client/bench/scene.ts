import type { Column, Row } from '../src/core/scene/card/row.ts';
import type { Layout } from '../src/core/scene/layout.ts';
import { GALLERY_IMAGES } from '../src/core/testing/gallery.ts';
import { referenceLayout, referenceRows } from '../src/core/testing/reference.ts';
import { STARFORGED_COLUMNS, starforgedLayout, starforgedRows } from '../src/core/testing/starforged.ts';
import { makePdf, type PdfTools } from '../src/render/pdf/document.ts';
import { nodePdfTools, printJob } from '../src/render/testing/testing.ts';

import { boardLayout } from './board.ts';

interface Benchmark {
  readonly name: string;
  readonly unit: string;
  /** Divisor of the measured time. */
  readonly count: number;
  prepare(): Promise<{ work: () => Promise<unknown>; size?: () => number }>;
}

async function tools(layout: Layout, rows: readonly Row[]): Promise<PdfTools> {
  return nodePdfTools(layout, rows, GALLERY_IMAGES);
}

function layoutBench(
  name: string,
  layout: Layout,
  rows: readonly Row[],
  columns: readonly Column[],
): Benchmark {
  return {
    name,
    unit: 'ms/card',
    count: rows.length,
    async prepare() {
      const { layOut } = await tools(layout, rows);
      return {
        work: async () => {
          for (const row of rows) await layOut(layout, row, columns);
        },
      };
    },
  };
}

function pdfBench(
  name: string,
  layout: Layout,
  rows: readonly Row[],
  columns: readonly Column[],
  cards: number,
): Benchmark {
  return {
    name,
    unit: 's',
    count: 1000,
    async prepare() {
      const made = await tools(layout, rows);
      const deck = Array.from({ length: cards }, (_, index) => ({
        row: rows[index % rows.length] ?? { cells: {} },
        copies: 1,
      }));
      let bytes = 0;
      const job = printJob(layout, deck, { columns });
      return {
        work: async () => {
          bytes = (await makePdf(job, made)).bytes.length;
        },
        size: () => bytes,
      };
    },
  };
}

export { GALLERY_IMAGES as pictures } from '../src/core/testing/gallery.ts';
export { findFace } from '../src/core/text/fonts/catalogue.ts';

/** Benchmarks run by `bench/render.mjs`. */
export function benchmarks(pdfCards: number): Benchmark[] {
  const starforged = [starforgedLayout(), starforgedRows(), STARFORGED_COLUMNS] as const;
  const reference = [referenceLayout(), referenceRows(pdfCards), []] as const;
  const board = [boardLayout(), [{ cells: {} }], []] as const;
  return [
    layoutBench('layout, Starforged card', ...starforged),
    layoutBench('layout, reference card', ...reference),
    pdfBench('PDF, 87 Starforged cards', ...starforged, 87),
    pdfBench(`PDF, ${pdfCards} reference cards`, ...reference, pdfCards),
    layoutBench('layout, board of 10,000 hexagons', ...board),
    pdfBench('PDF, board of 10,000 hexagons', ...board, 1),
  ];
}
