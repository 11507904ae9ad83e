import type { Row } from '../scene/card/row.ts';
import type { Issue, Op, Outline } from '../scene/display/display-list.ts';
import type { Rect } from '../scene/display/matrix.ts';
import type { Variable } from '../scene/layout.ts';
import type { ImagePlacement } from '../scene/style/image-placement.ts';
import type { HanForms } from '../text/fonts/east-asian.ts';
import type { Assets } from './assets.ts';
import type { CardData, ShownContainer } from './card-data.ts';

/** The card that a zone is painted on. */
export interface CardPainter {
  readonly row: Row;
  readonly variables: readonly Variable[];
  readonly assets: Assets;
  /** Forms of Chinese characters on the card. */
  readonly forms: HanForms;
  paint(...ops: readonly Op[]): void;
  report(...issues: readonly Issue[]): void;
  /** Paints an image, or a placeholder and an issue of the zone if the image is missing. */
  image(
    zone: string,
    source: string,
    placement: ImagePlacement,
    box: Rect,
    outline: Outline,
    opacity: number,
  ): void;
  /** Reports that a zone's image is missing. */
  missingImage(zone: string, source: string): void;
  /** Computes something once for a zone of this card. */
  once<T>(zone: string, compute: () => T): T;
}

/** Text of a painted zone, for its frame. */
export interface PaintedText {
  readonly text: string;
  /** Points. */
  readonly fittedSize: number;
}

/** Drawing one kind of zone that holds no others. */
export interface LeafLayout<Z> {
  /** The zone's natural shape in its box; a readable `clipPath` takes its place. */
  outline(zone: Z, box: Rect): Outline;
  /** Paints the zone's content, over its fill and under its stroke. */
  paint(zone: Z, box: Rect, outline: Outline, card: CardPainter): PaintedText | undefined;
  /** Height in millimetres by the width given, for a zone of a flex container that is as tall as its content. */
  naturalHeight?(zone: Z, card: CardPainter): ((width: number) => number) | undefined;
}

/** Drawing one kind of zone that holds others: it becomes a container of them. */
export interface ParentLayout<Z> {
  /**
   * The container that a card shows for the zone; undefined if it vanishes.
   * @param depth nesting of the zone; the zones inside are one deeper
   */
  show(zone: Z, data: CardData, depth: number): ShownContainer | undefined;
}
