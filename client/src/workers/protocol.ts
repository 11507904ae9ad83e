import type { Issue } from '../core/scene/display-list.ts';
import type { Column, Row } from '../core/scene/row.ts';
import type { Layout } from '../core/scene/zone.ts';
import type { MarksSpec, PageSpec } from '../render/impose.ts';

/** A card to print. */
export interface PrintRow extends Row {
  /** 1 when left out; 0 leaves the card out. */
  readonly copies?: number;
}

export interface ExportJob {
  readonly layout: Layout;
  readonly rows: readonly PrintRow[];
  /** Columns of the table: lets bindings go by a column's name and finds bindings without a column. */
  readonly columns?: readonly Column[];
  /** Images by the names zones use. URLs need not be here. */
  readonly images?: ReadonlyMap<string, Blob>;
  readonly page: PageSpec;
  readonly marks: MarksSpec;
  readonly title: string;
}

export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

export interface CardIssue {
  /** Index of the row. */
  readonly card: number;
  readonly issue: Issue;
}

export interface ExportReply {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly cards: number;
  readonly issues: readonly CardIssue[];
}

export type ExportMethods = {
  exportPdf: {
    argument: ExportJob & { readonly created: Date };
    result: ExportReply;
    progress: ExportProgress;
  };
};

export interface RenderRequest {
  readonly layout: Layout;
  readonly row: Row;
  readonly columns?: readonly Column[];
  readonly images?: ReadonlyMap<string, Blob>;
  readonly pxPerMm: number;
  /** Show the bleed. */
  readonly bleed?: boolean;
  /** Cut at the trim outline, corners transparent. */
  readonly cut?: boolean;
}

export interface RenderReply {
  readonly bitmap: ImageBitmap;
  readonly issues: readonly Issue[];
}

export type RenderMethods = {
  renderCard: { argument: RenderRequest; result: RenderReply; progress: never };
};
