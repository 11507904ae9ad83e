import type { LibraryImage } from '../../core/images/library.ts';
import type { Encoding, Painting } from '../../core/imposition/images/painting.ts';
import type { GroupSizes } from '../../core/layout/group-sizes.ts';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Issue } from '../../core/scene/display/display-list.ts';
import type { Layout } from '../../core/scene/layout.ts';

export interface RenderRequest {
  readonly layout: Layout;
  readonly row: Row;
  readonly columns?: readonly Column[];
  readonly pxPerMm: number;
  /** Show the bleed. */
  readonly bleed?: boolean;
  /** Clip to the trim outline, corners transparent. */
  readonly clipToTrim?: boolean;
}

export interface RenderReply {
  readonly bitmap: ImageBitmap;
  readonly issues: readonly Issue[];
  /** The images that the card names, found or not. */
  readonly sources: readonly string[];
}

export interface PaintingRequest {
  readonly painting: Painting;
  readonly images?: ReadonlyMap<string, Blob>;
}

/** A problem of one item of a painting. */
export interface PaintingIssue {
  readonly item: number;
  readonly issue: Issue;
}

export type RenderMethods = {
  /** Images by name for the calls that follow. Blobs are compared by identity, so that each image is sent once. */
  takeImages: { argument: ReadonlyMap<string, Blob>; result: null; progress: never };
  /** The image library for the calls that follow: changed images are read again. */
  takeLibrary: { argument: readonly LibraryImage[]; result: null; progress: never };
  renderCard: { argument: RenderRequest; result: RenderReply; progress: never };
  /** Sizes of the texts that have one size on all of these rows. */
  fitGroups: {
    argument: { readonly layout: Layout; readonly rows: readonly Row[]; readonly columns: readonly Column[] };
    result: GroupSizes;
    progress: never;
  };
  /** A painting as a bitmap. */
  renderPainting: {
    argument: PaintingRequest;
    result: { readonly bitmap: ImageBitmap; readonly issues: readonly PaintingIssue[] };
    progress: never;
  };
  /** A painting as the bytes of a file. */
  encodePainting: {
    argument: PaintingRequest & { readonly encoding: Encoding };
    result: { readonly bytes: Uint8Array; readonly issues: readonly PaintingIssue[] };
    progress: never;
  };
};
