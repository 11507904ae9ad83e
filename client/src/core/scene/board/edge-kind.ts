import * as z from 'zod';
import { MAX_TERRAINS } from '../../board/terrain-data.ts';
import { nameSchema } from '../binding.ts';
import { colourSchema, mmPositiveSchema } from '../style/paint.ts';
import { terrainSymbolSchema } from './terrain.ts';

/** Dashes and gaps of a line as multiples of its width. */
export const EDGE_LINES = { solid: [], dashed: [3, 2.5], dotted: [0, 2] } as const;
export type EdgeLine = keyof typeof EDGE_LINES;

/** Something that lies along sides of cells: a river, a wall. Sides name it by its symbol, as cells name terrains. */
export const edgeKindSchema = z.object({
  symbol: terrainSymbolSchema,
  name: nameSchema,
  color: colourSchema,
  /** Millimetres. */
  width: mmPositiveSchema,
  line: z.enum(Object.keys(EDGE_LINES) as [EdgeLine, ...EdgeLine[]]),
});
export type EdgeKind = z.infer<typeof edgeKindSchema>;

export const edgeKindsSchema = z.array(edgeKindSchema).max(MAX_TERRAINS);

/** Different in width and dashes as well as in colour. */
export const STARTING_EDGES: readonly EdgeKind[] = [
  { symbol: 'A', name: 'River', color: '#3f7fa6', width: 1.6, line: 'solid' },
  { symbol: 'B', name: 'Road', color: '#7a5a36', width: 1, line: 'dashed' },
  { symbol: 'C', name: 'Wall', color: '#2b2f3a', width: 2.2, line: 'solid' },
  { symbol: 'D', name: 'Border', color: '#b03a3a', width: 0.9, line: 'dotted' },
];
