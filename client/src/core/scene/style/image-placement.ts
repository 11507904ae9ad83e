import * as z from 'zod';
import { imagePlacementShape } from './paint.ts';

export const imagePlacementSchema = z.object(imagePlacementShape);

export type ImagePlacement = z.infer<typeof imagePlacementSchema>;

/** An image that covers its box, its middle in the middle. */
export function newPlacement(): ImagePlacement {
  return {
    fit: 'cover',
    posX: 50,
    posY: 50,
    scale: 1,
    tile: 10,
    slice: [25, 25, 25, 25],
    sliceWidth: 5,
  };
}
