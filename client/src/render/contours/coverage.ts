/**
 * Rasters of shapes without a canvas: the coverage of each pixel by a shape, and that raster blurred. Used where a PDF
 * needs a soft shadow; the same bytes everywhere, Node included.
 */

/** Closed contours as x, y, x, y, … */
export type Contours = readonly (readonly number[])[];

export interface Mask {
  readonly width: number;
  readonly height: number;
  /** 0 to 255, row by row. */
  readonly data: Uint8Array;
}

/** Rows sampled inside each pixel row; along a row coverage is exact. */
const SUBROWS = 4;

/** Coverage of contours given in pixels, by the non-zero rule. */
export function coverage(contours: Contours, width: number, height: number): Mask {
  const sums = new Float32Array(width * height);
  for (let row = 0; row < height * SUBROWS; row++) {
    const y = (row + 0.5) / SUBROWS;
    const target = sums.subarray(Math.floor(row / SUBROWS) * width, (Math.floor(row / SUBROWS) + 1) * width);
    let winding = 0;
    let from = 0;
    for (const { x, direction } of crossings(contours, y)) {
      if (winding === 0) from = x;
      winding += direction;
      if (winding === 0) addSpan(target, from, x);
    }
  }
  const data = new Uint8Array(width * height);
  for (let index = 0; index < data.length; index++) {
    data[index] = Math.min(255, Math.round(((sums[index] ?? 0) / SUBROWS) * 255));
  }
  return { width, height, data };
}

function crossings(contours: Contours, y: number): { x: number; direction: number }[] {
  const found: { x: number; direction: number }[] = [];
  for (const points of contours) {
    let x0 = points.at(-2) ?? 0;
    let y0 = points.at(-1) ?? 0;
    for (let at = 0; at < points.length; at += 2) {
      const x1 = points[at] ?? 0;
      const y1 = points[at + 1] ?? 0;
      if (y0 <= y !== y1 <= y) {
        found.push({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), direction: y1 > y0 ? 1 : -1 });
      }
      x0 = x1;
      y0 = y1;
    }
  }
  return found.sort((a, b) => a.x - b.x);
}

function addSpan(row: Float32Array, from: number, to: number): void {
  const start = Math.max(0, from);
  const end = Math.min(row.length, to);
  if (end <= start) return;
  const first = Math.floor(start);
  const last = Math.min(row.length - 1, Math.floor(end));
  if (first === last) {
    row[first] = (row[first] ?? 0) + end - start;
    return;
  }
  row[first] = (row[first] ?? 0) + first + 1 - start;
  for (let x = first + 1; x < last; x++) row[x] = (row[x] ?? 0) + 1;
  row[last] = (row[last] ?? 0) + end - last;
}

/** Gaussian blur by three box blurs, whose widths together have the deviation `sigma` (pixels). */
export function blur(mask: Mask, sigma: number): Mask {
  if (sigma <= 0) return mask;
  let data = Float32Array.from(mask.data);
  for (const radius of boxRadii(sigma)) {
    data = boxRows(data, mask.width, mask.height, radius);
    data = boxColumns(data, mask.width, mask.height, radius);
  }
  return { ...mask, data: Uint8Array.from(data, (value) => Math.min(255, Math.max(0, Math.round(value)))) };
}

function boxRadii(sigma: number): number[] {
  const ideal = Math.sqrt(4 * sigma * sigma + 1);
  const lower = Math.floor(ideal) % 2 === 0 ? Math.floor(ideal) - 1 : Math.floor(ideal);
  const count = Math.round((12 * sigma * sigma - 3 * lower * lower - 12 * lower - 9) / (-4 * lower - 4));
  return [0, 1, 2].map((pass) => ((pass < count ? lower : lower + 2) - 1) / 2);
}

function boxRows(
  data: Float32Array,
  width: number,
  height: number,
  radius: number,
): Float32Array<ArrayBuffer> {
  const out = new Float32Array(data.length);
  for (let y = 0; y < height; y++) slide(data, out, y * width, 1, width, radius);
  return out;
}

function boxColumns(
  data: Float32Array,
  width: number,
  height: number,
  radius: number,
): Float32Array<ArrayBuffer> {
  const out = new Float32Array(data.length);
  for (let x = 0; x < width; x++) slide(data, out, x, width, height, radius);
  return out;
}

function slide(
  data: Float32Array,
  out: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
): void {
  const size = 2 * radius + 1;
  let sum = 0;
  for (let k = 0; k <= Math.min(radius, count - 1); k++) sum += data[start + k * step] ?? 0;
  out[start] = sum / size;
  for (let index = 1; index < count; index++) {
    const entering = index + radius;
    const leaving = index - radius - 1;
    if (entering < count) sum += data[start + entering * step] ?? 0;
    if (leaving >= 0) sum -= data[start + leaving * step] ?? 0;
    out[start + index * step] = sum / size;
  }
}
