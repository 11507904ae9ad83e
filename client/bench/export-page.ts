import { cardPainting, imageEntries } from '../src/core/imposition/images/image-files.ts';
import type { PrintPart } from '../src/core/imposition/job/print-job.ts';
import { DEFAULT_PRINT_SETTINGS } from '../src/core/imposition/settings.ts';
import { DEFAULT_SIMULATOR_SETTINGS, planSimulator } from '../src/core/tabletop/simulator.ts';
import { referenceLayout, referenceRows } from '../src/core/testing/reference.ts';
import type { ExportReply, ExportRequest } from '../src/workers/export/export-protocol.ts';
import { EXPORTS_FOLDER } from '../src/workers/export/export-target.ts';
import { createExporter } from '../src/workers/export/exporter.ts';

/** The page of `bench/export.mjs`: runs the application's own export workers on the reference deck. */

const images = new Map<string, Blob>();
const exporter = createExporter();

async function loadImages(names: readonly string[]): Promise<void> {
  for (const name of names) images.set(name, await (await fetch(`/images/${name}`)).blob());
}

function deck(cards: number): PrintPart {
  return {
    name: 'Reference',
    layout: referenceLayout(),
    back: null,
    columns: [],
    cards: referenceRows(cards).map((row) => ({ row, copies: 1 })),
  };
}

async function write(request: ExportRequest): Promise<{ ms: number; bytes: number }> {
  const start = performance.now();
  const name = crypto.randomUUID();
  const reply: ExportReply = await exporter.write({ ...request, images }, { kind: 'site', name });
  const ms = performance.now() - start;
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(EXPORTS_FOLDER);
  await folder.removeEntry(name);
  return { ms, bytes: reply.bytes };
}

const pdf = (cards: number, maxBytes?: number) =>
  write({
    kind: 'pdf',
    parts: [deck(cards)],
    settings: DEFAULT_PRINT_SETTINGS,
    title: 'Bench',
    fileName: 'bench',
    maxBytes,
  });

const pictures = (cards: number, dpi: number) =>
  write({
    kind: 'bundle',
    entries: imageEntries([deck(cards)], {
      type: 'image/png',
      quality: 100,
      dpi,
      bleed: false,
      cut: true,
      backs: false,
      copies: 'one',
      template: '{{number}}',
      contactSheet: false,
    }),
  });

const tableSheet = () => {
  const part = { ...deck(70), id: 'x', cardIds: [], as: 'deck' as const, fields: {} };
  const plan = planSimulator([part], { ...DEFAULT_SIMULATOR_SETTINGS, dpi: 160 }, (file) => file);
  return write({ kind: 'bundle', entries: plan.images.filter(({ name }) => name.includes('front')) });
};

/** The first export of a page loads fonts and wasm; it is thrown away. */
async function warmUp(): Promise<void> {
  await pdf(9);
  const [first] = deck(1).cards;
  if (!first) return;
  const how = { dpi: 300, bleed: 0, clipToTrim: true, opaque: false };
  const painting = cardPainting(deck(1), first.row, how);
  const encoding = { type: 'image/png', quality: 1, dpi: 300 } as const;
  await write({ kind: 'bundle', entries: [{ name: 'a.png', kind: 'painting', painting, encoding }] });
}

Object.assign(window, { bench: { loadImages, warmUp, pdf, pictures, tableSheet } });
