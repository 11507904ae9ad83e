import * as z from 'zod';
import { ACCEPTED_PIECES, MAX_HELD, plainTraits, SPACE_ROLES, SPACE_TURNINGS } from '../../board/space.ts';
import { degSchema } from '../style/paint.ts';

const plain = plainTraits('spot');

/** Stored form of the traits of a space; those that came later have defaults, so that older layouts can be read. */
export const spaceTraitsShape = {
  role: z.enum(SPACE_ROLES),
  turning: z.enum(SPACE_TURNINGS).default(plain.turning),
  turn: degSchema.default(0),
  accepts: z.array(z.enum(ACCEPTED_PIECES)).max(ACCEPTED_PIECES.length).default([]),
  holds: z.number().int().min(0).max(MAX_HELD).default(plain.holds),
};
