import type { CropShare, FocusPoint } from '../images/library.ts';
import type { Column } from '../scene/card/row.ts';
import type { FontRegistry } from '../text/fonts/font-registry.ts';

/** Natural size of an image; only the proportion counts. */
export interface ImageSize {
  readonly w: number;
  readonly h: number;
  /** The part of it that is shown; all of it when missing. */
  readonly crop?: CropShare | undefined;
  /** Point that stays in view when a box crops the image; the middle when missing. */
  readonly focus?: FocusPoint | undefined;
  /** A drawing of paths: sharp at any size. */
  readonly vector?: boolean | undefined;
}

/** Proportions of images, by the source that zones name. */
export interface ImageSizes {
  size(source: string): ImageSize | undefined;
  /** Reason that an existing image is not shown, for the designer. */
  refusal?(source: string): string | undefined;
}

/** Everything layout needs besides the document and the row. Loaded beforehand, read-only here. */
export interface Assets {
  readonly fonts: FontRegistry;
  readonly images: ImageSizes;
  readonly columns: readonly Column[];
}

export const NO_IMAGES: ImageSizes = { size: () => undefined };
