import type { LibraryImage } from '../../core/images/library.ts';
import type { BundleEntry } from '../../core/imposition/images/painting.ts';
import type { PrintPart } from '../../core/imposition/job/print-job.ts';
import type { PrintSettings } from '../../core/imposition/settings.ts';
import type { Issue } from '../../core/scene/display/display-list.ts';

/** Destination of an export. */
export type ExportTarget =
  /** A file in the site's storage, from which the page offers a download. */
  | { readonly kind: 'site'; readonly name: string }
  /** A file the designer chose on disk. */
  | { readonly kind: 'disk'; readonly handle: FileSystemFileHandle };

/** Images by the names zones use. URLs may be left out. */
export type NamedImages = ReadonlyMap<string, Blob>;

export interface PdfRequest {
  readonly kind: 'pdf';
  readonly parts: readonly PrintPart[];
  readonly settings: PrintSettings;
  readonly title: string;
  /** Approximate size of each file in a ZIP; left out: one PDF. */
  readonly maxBytes?: number | undefined;
  /** Name of each file in the ZIP, without its number and ending. */
  readonly fileName: string;
}

/** Files made one by one into a ZIP. */
export interface BundleRequest {
  readonly kind: 'bundle';
  readonly entries: readonly BundleEntry[];
}

/** Images that workers need beside those with addresses; the exporter adds the library. */
interface KnownImages {
  readonly images?: NamedImages;
  readonly library?: readonly LibraryImage[];
}

/** A file, as it is exported alone or among several. */
export interface NamedRequest {
  /** With its ending. */
  readonly name: string;
  readonly request: PdfRequest | BundleRequest;
}

/** Files that are whole exports each, such as one of each language, made one by one into a ZIP. */
export interface SeveralRequest {
  readonly kind: 'several';
  readonly files: readonly NamedRequest[];
}

export type ExportRequest = (PdfRequest | BundleRequest | SeveralRequest) & KnownImages;

export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** A problem of a card, for a list under the result. */
export interface CardIssue {
  /** Name of the part or file. */
  readonly where: string;
  /** Index of the card in its part; absent where the file's name says it. */
  readonly card?: number;
  readonly issue: Issue;
}

export interface ExportReply {
  /** The finished file, when it is in the site's storage. */
  readonly file: File | undefined;
  readonly bytes: number;
  /** Sheets and pages of a PDF, files of a bundle. */
  readonly pages: number;
  readonly cards: number;
  readonly issues: readonly CardIssue[];
}

export interface FingerprintRequest extends KnownImages {
  readonly parts: readonly PrintPart[];
}

export interface SafeZoneRequest extends KnownImages {
  readonly part: PrintPart;
  /** Distance from the trim that text must keep, in millimetres. */
  readonly safe: number;
}

/** Text of a card that comes too near the trim. */
export interface SafeIssue {
  readonly card: number;
  readonly side: 'front' | 'back';
  readonly text: string;
  /** Distance from the trim, in millimetres. */
  readonly distance: number;
}

export type ExportMethods = {
  write: {
    argument: {
      readonly request: ExportRequest;
      readonly target: ExportTarget;
      readonly created: Date;
      /** Script of the workers that paint. */
      readonly painterUrl: string;
      readonly painters: number;
    };
    result: ExportReply;
    progress: ExportProgress;
  };
  /** Fingerprints of every card, front and back together, by part. */
  fingerprints: {
    argument: FingerprintRequest;
    result: readonly (readonly string[])[];
    progress: ExportProgress;
  };
  safeZone: { argument: SafeZoneRequest; result: readonly SafeIssue[]; progress: never };
};
