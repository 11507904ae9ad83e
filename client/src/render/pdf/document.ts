import type { PDFRef } from '@cantoo/pdf-lib';
import { languageOf } from '../../core/imposition/job/language.ts';
import { artOf, imposeParts, type PrintPart } from '../../core/imposition/job/print-job.ts';
import type { PrintSettings } from '../../core/imposition/settings.ts';
import { lowInk } from '../../core/imposition/sheets/low-ink.ts';
import { labelsLayout, rulerLayout } from '../../core/imposition/sheets/page-marks.ts';
import type { Placement, Sheet, SheetPlan } from '../../core/imposition/sheets/sheet.ts';
import { type Column, EMPTY_ROW, type Row } from '../../core/scene/card/row.ts';
import type { DisplayList, Issue } from '../../core/scene/display/display-list.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { type FileInfo, type FileTools, PdfFile } from './file.ts';
import { addPage, type PlacedForm } from './page.ts';

export interface PdfJob extends FileInfo {
  readonly parts: readonly PrintPart[];
  readonly settings: PrintSettings;
  /** Size in bytes above which a new file begins, never in the middle of a paper. Left out: one file. */
  readonly maxBytes?: number;
}

export interface PdfTools extends FileTools {
  /** Lays a card out, loading whatever it needs. */
  readonly layOut: (
    layout: Layout,
    row: Row,
    columns: readonly Column[],
  ) => DisplayList | Promise<DisplayList>;
  /** Called after each step with the steps done and the total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Awaited regularly, so that a worker can receive a cancellation; rejects to stop. */
  readonly yieldToEventLoop?: () => Promise<void>;
}

/** A problem of a card. */
export interface PrintIssue {
  /** Index into the parts. */
  readonly part: number;
  /** Index into the part's cards. */
  readonly card: number;
  readonly side: 'front' | 'back';
  readonly issue: Issue;
}

export interface PrintSummary {
  readonly pages: number;
  readonly papers: number;
  /** Cards printed, copies counted. */
  readonly cards: number;
  readonly files: number;
  readonly issues: readonly PrintIssue[];
}

export interface PdfResult extends PrintSummary {
  readonly bytes: Uint8Array;
}

/** Cards laid out between two yields to the event loop. */
const CARDS_PER_YIELD = 8;
/** Most issues reported: a longer list helps nobody. */
export const MAX_ISSUES = 2_000;

/**
 * Makes the PDF of a project: each card once as a form, placed on sheets.
 * @throws ImpositionError when the cards do not fit the page; Error naming an image or font that cannot be embedded;
 * whatever `yieldToEventLoop` rejects with
 */
export async function makePdf(job: Omit<PdfJob, 'maxBytes'>, tools: PdfTools): Promise<PdfResult> {
  let bytes = new Uint8Array();
  const summary = await writePdf(job, tools, async (file) => {
    bytes = file as Uint8Array<ArrayBuffer>;
  });
  return { ...summary, bytes };
}

/**
 * Makes one or more PDFs and delivers each when it is whole, so that no more than one is in memory.
 * @throws as `makePdf`, and whatever `deliver` rejects with
 */
export async function writePdf(
  job: PdfJob,
  tools: PdfTools,
  deliver: (bytes: Uint8Array, index: number) => Promise<void>,
): Promise<PrintSummary> {
  return new Printing(job, tools, deliver).run();
}

class Printing {
  readonly #job: PdfJob;
  readonly #tools: PdfTools;
  readonly #deliver: (bytes: Uint8Array, index: number) => Promise<void>;
  readonly #plans: readonly SheetPlan[];
  readonly #issues: PrintIssue[] = [];
  readonly #reported = new Set<string>();
  readonly #total: number;
  #laidOut = 0;
  #files = 0;
  #file: PdfFile | undefined;

  constructor(job: PdfJob, tools: PdfTools, deliver: (bytes: Uint8Array, index: number) => Promise<void>) {
    this.#job = job;
    this.#tools = tools;
    this.#deliver = deliver;
    this.#plans = imposeParts(job.parts, job.settings);
    this.#total = countArt(job, this.#plans) + 1;
  }

  async run(): Promise<PrintSummary> {
    for (const [index, plan] of this.#plans.entries()) {
      const part = this.#job.parts[index];
      if (part) await this.#part(index, part, plan);
    }
    if (this.#file || this.#files === 0) await this.#finish();
    this.#tools.onProgress?.(this.#total, this.#total);
    const sum = (of: (plan: SheetPlan) => number): number =>
      this.#plans.reduce((total, plan) => total + of(plan), 0);
    return {
      pages: sum(({ sheets }) => sheets.length),
      papers: sum(({ papers }) => papers),
      cards: sum(({ cards }) => cards),
      files: this.#files,
      issues: this.#issues,
    };
  }

  async #part(index: number, part: PrintPart, plan: SheetPlan): Promise<void> {
    let bookmarked: PdfFile | undefined;
    for (const [number, sheet] of plan.sheets.entries()) {
      const file = await this.#openFile(plan.sheets[number - 1], sheet);
      const page = await this.#sheet(file, index, part, plan, sheet);
      if (bookmarked !== file) file.bookmark({ title: part.name, page });
      bookmarked = file;
    }
  }

  /** The file for the next sheet: a new one when the last is too large and its paper is complete. */
  async #openFile(previous: Sheet | undefined, next: Sheet): Promise<PdfFile> {
    const { maxBytes } = this.#job;
    const midPaper = previous?.side === 'front' && next.side === 'back';
    if (this.#file && maxBytes !== undefined && !midPaper && this.#file.size() >= maxBytes) {
      await this.#finish();
    }
    this.#file ??= await this.#newFile();
    return this.#file;
  }

  #newFile(): Promise<PdfFile> {
    return PdfFile.create(this.#tools, this.#job.settings.rasterDpi);
  }

  async #finish(): Promise<void> {
    const file = this.#file ?? (await this.#newFile());
    if (file.document.getPageCount() === 0) file.document.addPage();
    await this.#tools.yieldToEventLoop?.();
    const { title, created, language = languageOf(this.#job.parts) } = this.#job;
    const bytes = await file.finish({ title, created, ...(language && { language }) });
    this.#file = undefined;
    await this.#deliver(bytes, this.#files++);
  }

  async #sheet(
    file: PdfFile,
    index: number,
    part: PrintPart,
    plan: SheetPlan,
    sheet: Sheet,
  ): Promise<PDFRef> {
    const { settings } = this.#job;
    const forms: PlacedForm[] = [];
    for (const placement of sheet.placements) {
      const placed = await this.#place(file, index, part, plan.bleed, placement);
      if (placed) forms.push(placed);
    }
    const single = settings.arrangement === 'single';
    if (settings.ruler && !single && sheet.side !== 'back') {
      forms.push(await this.#pageForm(file, `ruler ${plan.w} ${plan.h}`, plan, () => rulerLayout(plan)));
    }
    const { labels } = sheet;
    if (labels && labels.length > 0) {
      const key = `labels ${plan.w} ${plan.h} ${JSON.stringify(labels)}`;
      forms.push(await this.#pageForm(file, key, plan, () => labelsLayout(plan, labels)));
    }
    return addPage(file, {
      w: plan.w,
      h: plan.h,
      forms,
      marks: sheet.marks,
      markStyle: settings.marks,
      folds: sheet.folds,
      ...(single && { bleed: plan.bleed }),
    });
  }

  async #place(
    file: PdfFile,
    index: number,
    part: PrintPart,
    bleed: number,
    placement: Placement,
  ): Promise<PlacedForm | undefined> {
    const art = artOf(part, placement, this.#job.settings);
    if (!art) return undefined;
    const key = `${index} ${art.key}`;
    const { w, h } = art.layout.size;
    let form = file.form(key);
    if (!form) {
      const list = await this.#tools.layOut(art.layout, art.row, part.columns);
      this.#report(key, index, placement, list);
      form = await file.addForm(key, this.#job.settings.lowInk ? lowInk(list) : list, bleed);
      await this.#step(key);
    }
    const { x, y, turn, scale = 1, clip } = placement;
    return { form, x, y, w, h, turn, scale, clip };
  }

  /** Things printed on a page beside its cards. */
  async #pageForm(
    file: PdfFile,
    key: string,
    { w, h }: SheetPlan,
    layout: () => Layout,
  ): Promise<PlacedForm> {
    const form =
      file.form(key) ?? (await file.addForm(key, await this.#tools.layOut(layout(), EMPTY_ROW, []), 0));
    return { form, x: 0, y: 0, w, h, turn: 0 };
  }

  #report(key: string, part: number, { card, side }: Placement, { issues }: DisplayList): void {
    if (this.#reported.has(key)) return;
    for (const issue of issues) {
      if (this.#issues.length < MAX_ISSUES) this.#issues.push({ part, card, side, issue });
    }
  }

  async #step(key: string): Promise<void> {
    // A card repeated in a second file is not counted as a step.
    if (!this.#reported.has(key)) {
      this.#reported.add(key);
      this.#laidOut++;
      this.#tools.onProgress?.(this.#laidOut, this.#total);
    }
    if (this.#laidOut % CARDS_PER_YIELD === 0) await this.#tools.yieldToEventLoop?.();
  }
}

/** Number of different fronts and backs to paint. */
function countArt(job: PdfJob, plans: readonly SheetPlan[]): number {
  const keys = new Set<string>();
  for (const [index, plan] of plans.entries()) {
    const part = job.parts[index];
    for (const placement of plan.sheets.flatMap(({ placements }) => placements)) {
      const art = part && artOf(part, placement, job.settings);
      if (art) keys.add(`${index} ${art.key}`);
    }
  }
  return keys.size;
}
