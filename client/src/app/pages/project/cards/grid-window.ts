/** Narrowest a card is shown, and the space around it, in CSS pixels. */
const MIN_TILE_PX = 172;
const GAP_PX = 22;
const CAPTION_PX = 44;
/** Rows painted above and below what is in view. */
const OVERSCAN_ROWS = 1;

/** Geometry of a card grid, in CSS pixels. */
export interface GridShape {
  readonly perRow: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly rowHeight: number;
  readonly gap: number;
  readonly height: number;
}

/** As many columns as fit. `ratio` is a card's height over its width. */
export function gridShape(width: number, ratio: number, count: number): GridShape {
  const perRow = Math.max(1, Math.floor((width + GAP_PX) / (MIN_TILE_PX + GAP_PX)));
  const tileWidth = Math.max(1, Math.floor((width - GAP_PX * (perRow - 1)) / perRow));
  const rowHeight = Math.ceil(tileWidth * ratio) + CAPTION_PX;
  const rows = Math.ceil(count / perRow);
  return { perRow, rows, tileWidth, rowHeight, gap: GAP_PX, height: rows * rowHeight };
}

/** First and last row in view, both counted in. `scrolled` is how far the grid's top is above the view's. */
export function visibleRows(
  shape: GridShape,
  scrolled: number,
  viewHeight: number,
): readonly [number, number] {
  const clamp = (row: number) => Math.min(Math.max(0, shape.rows - 1), Math.max(0, row));
  return [
    clamp(Math.floor(scrolled / shape.rowHeight) - OVERSCAN_ROWS),
    clamp(Math.floor((scrolled + viewHeight) / shape.rowHeight) + OVERSCAN_ROWS),
  ];
}
