/** Distance of the grid's lines, in millimetres. */
export const GRID_MM = 1;
/** Rotation clicks into multiples of this, in degrees. */
export const ROTATION_STEP_DEG = 5;
/** Coordinates are kept to this many decimals of a millimetre. */
const DECIMALS = 3;

/** Rounds away what floating point leaves behind. */
export function roundMm(value: number): number {
  const factor = 10 ** DECIMALS;
  // Adding 0 turns minus zero into zero.
  return Math.round(value * factor) / factor + 0;
}

/** The nearest line of the grid. */
export function snapToGrid(value: number, grid: number = GRID_MM): number {
  return roundMm(Math.round(value / grid) * grid);
}

/** Moves a box so that its left and top edge lie on the grid, or its right and bottom edge where that is nearer. */
export function snapMove(
  box: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  grid: number = GRID_MM,
): { x: number; y: number } {
  return { x: nearest(box.x, box.w, grid), y: nearest(box.y, box.h, grid) };
}

function nearest(start: number, size: number, grid: number): number {
  const byStart = snapToGrid(start, grid);
  const byEnd = roundMm(snapToGrid(start + size, grid) - size);
  return Math.abs(byEnd - start) < Math.abs(byStart - start) - 1e-9 ? byEnd : byStart;
}

/** An angle in [0, 360), clicked into place unless free. */
export function snapAngle(degrees: number, free: boolean): number {
  const stepped = free ? degrees : Math.round(degrees / ROTATION_STEP_DEG) * ROTATION_STEP_DEG;
  return roundMm(((stepped % 360) + 360) % 360);
}
