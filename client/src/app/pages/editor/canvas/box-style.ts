import type { Rect } from '../../../../core/scene/display/matrix.ts';

/** Place of an upright box over the card. @param scale CSS pixels per millimetre */
export const boxStyle = ({ x, y, w, h }: Rect, scale: number) => ({
  left: x * scale,
  top: y * scale,
  width: w * scale,
  height: h * scale,
});
