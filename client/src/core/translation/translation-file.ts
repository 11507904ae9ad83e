import type { Piece } from './pieces.ts';
import type { TranslationHead } from './xliff-write.ts';

/** A file's words about itself; empty where it says nothing. */
export type FileHead = Omit<TranslationHead, 'whole'>;

/** A text of a file: its pieces, or as it is stored. */
export type FileText = readonly Piece[] | string;

/** A unit of a file. */
export interface FileUnit {
  readonly id: string;
  readonly name: string;
  /** True if the translator says that it is translated. */
  readonly finished: boolean;
  /** The source of a stale translation, as it is stored. */
  readonly former: string | undefined;
  /** Texts, or the reason why they cannot be read. */
  readonly texts:
    | { readonly source: FileText; readonly target: FileText | undefined }
    | { readonly problem: string };
}

/** A file of translations, whatever its format. */
export interface TranslationFile {
  readonly head: FileHead;
  readonly units: readonly FileUnit[];
}
