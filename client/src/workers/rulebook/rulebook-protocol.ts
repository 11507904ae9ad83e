import type { CardText, Finding } from '../../core/book/checks/checks.ts';
import type { Rulebook } from '../../core/book/document/schema.ts';
import type { AbsentCard, Counted, SetUpProblem } from '../../core/book/typesetting/context.ts';
import type { LibraryImage } from '../../core/images/library.ts';
import type { BookletSettings } from '../../core/imposition/folding/booklet.ts';
import type { DrawnRow, SetUpPicture } from '../../core/play/set-up/set-up-picture.ts';
import type { Rect } from '../../core/scene/display/matrix.ts';

/** A card that a rulebook shows, with all that painting it takes. */
export interface ShownCard extends DrawnRow {
  readonly name: string;
  /** Its text, for those who cannot see it. */
  readonly alt: string;
}

/** The project's side of a rulebook, as it is sent to a worker. */
export interface ProjectFacts {
  readonly components: readonly Counted[];
  readonly icons: readonly { readonly name: string; readonly source: string; readonly meaning: string }[];
  /** Cards that the document shows. */
  readonly cards: readonly ShownCard[];
  /** Cards that it shows or names and that cannot be shown. */
  readonly absent: readonly (readonly [name: string, card: AbsentCard])[];
  /** Names in it that several cards have, each with the names that tell them apart; the first of those is meant. */
  readonly shared: readonly (readonly [name: string, each: readonly string[]])[];
  /** Values of the document's formulas. */
  readonly values: readonly (readonly [
    formula: string,
    value: { readonly text: string } | { readonly error: string },
  ])[];
  /** The table as a game begins, where a block shows it. */
  readonly setUp?: SetUpPicture<DrawnRow> | SetUpProblem;
  /** Texts of all cards, for the checks. */
  readonly texts: readonly CardText[];
}

export interface SetRequest {
  readonly doc: Rulebook;
  /** House style and page format by id. */
  readonly style: string;
  readonly format: string;
  readonly project: ProjectFacts;
  readonly library: readonly LibraryImage[];
}

/** The place of a block on a page, in millimetres. */
export interface PlacedBlock {
  readonly block: string;
  readonly area: Rect;
}

export interface SetPage {
  readonly number: number;
  readonly w: number;
  readonly h: number;
  readonly blocks: readonly PlacedBlock[];
  /** The same text is the same picture. */
  readonly mark: string;
}

export interface SetReply {
  readonly pages: readonly SetPage[];
  readonly findings: readonly Finding[];
  /** Page on which each block begins. */
  readonly starts: readonly (readonly [block: string, page: number])[];
}

export type OutputKind = 'pdf' | 'booklet' | 'zine';

export interface OutputRequest extends SetRequest {
  readonly kind: OutputKind;
  readonly created: Date;
  readonly booklet: Omit<BookletSettings, 'page'>;
}

export interface OutputProgress {
  readonly done: number;
  readonly total: number;
}

/** A picture of a published rulebook. */
export interface BookPicture {
  readonly kind: 'card' | 'icon' | 'figure' | 'setup';
  /** Of the card or icon; the source of a figure; empty for the table. */
  readonly name: string;
  readonly alt: string;
  /** In pixels. */
  readonly w: number;
  readonly h: number;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export type RulebookMethods = {
  /** Sets the pages, which `paint` then paints. */
  set: { argument: SetRequest; result: SetReply; progress: never };
  /** A bitmap of a page that was set last. */
  paint: {
    argument: { readonly page: number; readonly pxPerMm: number };
    result: ImageBitmap;
    progress: never;
  };
  /** The pictures that the text shows. */
  illustrate: { argument: SetRequest; result: readonly BookPicture[]; progress: OutputProgress };
  /** The bytes of a file. */
  write: {
    argument: OutputRequest;
    result: { readonly bytes: Uint8Array; readonly pages: number };
    progress: OutputProgress;
  };
};
