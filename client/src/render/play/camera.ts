import type { Rect } from '../../core/scene/display/matrix.ts';

/** The part of the table on the screen. */
export interface Camera {
  /** Point of the table in the middle of the screen, in tenths of a millimetre. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels for a tenth of a millimetre. */
  readonly scale: number;
}

export interface Screen {
  /** In CSS pixels. */
  readonly w: number;
  readonly h: number;
}

/** Smallest and largest scale: a table of two metres on a phone, and a token as large as a hand. */
export const [MIN_SCALE, MAX_SCALE] = [0.012, 1.2];

/** Margin around a table that is shown whole, as a share of the screen. */
const MARGIN = 0.06;
/** Nearest a table is shown whole, so that three cards do not fill the screen. */
const MAX_FIT_SCALE = 0.24;

export const toScreen = ({ x, y, scale }: Camera, { w, h }: Screen, px: number, py: number) => ({
  x: (px - x) * scale + w / 2,
  y: (py - y) * scale + h / 2,
});

export const toTable = ({ x, y, scale }: Camera, { w, h }: Screen, sx: number, sy: number) => ({
  x: (sx - w / 2) / scale + x,
  y: (sy - h / 2) / scale + y,
});

/** Nearer or farther, with the point under the pointer where it is. */
export function zoomed(camera: Camera, screen: Screen, factor: number, sx: number, sy: number): Camera {
  const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, camera.scale * factor));
  const fixed = toTable(camera, screen, sx, sy);
  return { scale, x: fixed.x - (sx - screen.w / 2) / scale, y: fixed.y - (sy - screen.h / 2) / scale };
}

export const panned = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  x: camera.x - dx / camera.scale,
  y: camera.y - dy / camera.scale,
});

/** All of a rectangle on the screen. */
export function fitting(
  bounds: { readonly x: number; readonly y: number; readonly w: number; readonly h: number } | undefined,
  { w, h }: Screen,
): Camera {
  if (!bounds || w <= 0 || h <= 0) return { x: 0, y: 0, scale: MAX_FIT_SCALE };
  const room = 1 - 2 * MARGIN;
  const scale = Math.min(
    (w * room) / Math.max(1, bounds.w),
    (h * room) / Math.max(1, bounds.h),
    MAX_FIT_SCALE,
  );
  return {
    x: bounds.x + bounds.w / 2,
    y: bounds.y + bounds.h / 2,
    scale: Math.max(MIN_SCALE, scale),
  };
}

/** The device pixels of the table on a screen: whole ones, half a pixel beside the camera at most. */
export const areaShown = ({ x, y, scale }: Camera, { w, h }: Screen, ratio: number): Rect => ({
  x: Math.round((x * scale - w / 2) * ratio),
  y: Math.round((y * scale - h / 2) * ratio),
  w: Math.round(w * ratio),
  h: Math.round(h * ratio),
});

/** A camera and a screen that show such pixels. */
export const cameraOver = ({ x, y, w, h }: Rect, scale: number, ratio: number) => ({
  camera: { x: (x + w / 2) / ratio / scale, y: (y + h / 2) / ratio / scale, scale },
  screen: { w: w / ratio, h: h / ratio },
});
