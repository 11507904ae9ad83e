import { cellCentre, cellPolygon, type PlacedGrid } from '../../board/placing.ts';
import type { Terrain } from '../../scene/board/terrain.ts';
import type { Outline, StampOp } from '../../scene/display/display-list.ts';
import { boundsOf } from '../../scene/display/outline.ts';
import { newPlacement } from '../../scene/style/image-placement.ts';
import type { ImageSize } from '../assets.ts';
import { imageOps } from '../place-image.ts';

/** Pictures of cells without a gap overlap by this much, so that no ground shows where their edges are smoothed. */
const OVERLAP_MM = 0.1;

/** A cell about its middle; all cells of a grid are alike. */
function cellOutline(grid: PlacedGrid, reach: number): Outline {
  const centre = cellCentre(grid, 0);
  const grown = 1 + (2 * reach) / grid.pitch;
  return {
    kind: 'polygon',
    points: cellPolygon(grid, 0).map(({ x, y }) => ({
      x: (x - centre.x) * grown,
      y: (y - centre.y) * grown,
    })),
  };
}

/** A terrain's picture at the middles of its cells, cut out by the cell; undefined where nothing is painted. */
export function pictureStamp(
  { source, fit }: Terrain,
  grid: PlacedGrid,
  size: ImageSize,
  at: readonly number[],
): StampOp | undefined {
  if (at.length === 0 || grid.pitch <= 0) return undefined;
  // A gap between the cells is at least as wide as it was asked for.
  const outline = cellOutline(grid, grid.share < 1 ? 0 : OVERLAP_MM);
  const [op] = imageOps(source, { ...newPlacement(), fit }, size, boundsOf(outline), outline);
  if (op?.op !== 'image') return undefined;
  const { image, box, opacity, crop } = op;
  const picture = { image, box, opacity, ...(crop && { crop }) };
  return { op: 'stamp', outline, fill: null, stroke: null, image: picture, at };
}
