import * as z from 'zod';
import { newPlacement } from '../style/image-placement.ts';
import { imagePlacementShape, MAX_SOURCE_LENGTH, radiiSchema } from '../style/paint.ts';
import { commonShape, defineZone, noRadii } from './definition.ts';

const schema = z.object({
  ...commonShape,
  ...imagePlacementShape,
  kind: z.literal('image'),
  /** Name in the image library (`Folder/name.png`) or a URL. Empty paints no image. */
  source: z.string().max(MAX_SOURCE_LENGTH),
  radius: radiiSchema,
});

export type ImageZone = z.infer<typeof schema>;

/** An image of the library, or of an address. */
export const IMAGE = defineZone<ImageZone>({
  schema,
  newName: 'Image',
  create: (common) => ({
    ...common,
    kind: 'image',
    source: '',
    ...newPlacement(),
    radius: noRadii(),
  }),
  isEmpty: ({ source }) => source.trim() === '',
});
