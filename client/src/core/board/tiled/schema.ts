import * as z from 'zod';
import { MAX_MAP_CELLS } from '../grid.ts';

/** The parts of a map of Tiled that are read (https://doc.mapeditor.org/en/stable/reference/json-map-format/); the rest is left out. */

/** Most tile sets, layers and objects that are looked at. */
const MAX_LISTED = 2_000;
const side = z.number().int().min(1).max(MAX_MAP_CELLS);
const pixels = z.number().min(0).max(100_000);
const text = z.string().max(500).catch('');

const tileSchema = z.object({
  id: z.number().int().min(0),
  /** Its class; `type` before Tiled 1.9. */
  class: text.optional(),
  type: text.optional(),
  image: text.optional(),
});

const tilesetSchema = z.object({
  firstgid: z.number().int().min(1),
  name: text.optional(),
  /** File of a tile set that lies outside of the map. */
  source: text.optional(),
  tiles: z.array(tileSchema).max(MAX_LISTED).catch([]).default([]),
});

const objectSchema = z.object({
  name: text.optional(),
  /** Its class; `type` before Tiled 1.9 and since 1.10. */
  class: text.optional(),
  type: text.optional(),
  x: z.number(),
  y: z.number(),
  width: z.number().catch(0).default(0),
  height: z.number().catch(0).default(0),
  visible: z.boolean().catch(true).default(true),
});

const layerSchema = z.object({
  type: text,
  name: text.optional(),
  visible: z.boolean().catch(true).default(true),
  data: z.union([z.array(z.number().int().min(0)).max(MAX_MAP_CELLS), z.string().max(2_000_000)]).optional(),
  encoding: text.optional(),
  compression: text.optional(),
  chunks: z.unknown().optional(),
  objects: z.array(objectSchema).max(MAX_LISTED).catch([]).optional(),
  layers: z.array(z.unknown()).max(MAX_LISTED).optional(),
});

export const tiledSchema = z.object({
  orientation: z.enum(['orthogonal', 'isometric', 'staggered', 'hexagonal']),
  width: side,
  height: side,
  tilewidth: pixels.min(1),
  tileheight: pixels.min(1),
  hexsidelength: pixels.catch(0).default(0),
  staggeraxis: z.enum(['x', 'y']).catch('y').default('y'),
  staggerindex: z.enum(['odd', 'even']).catch('odd').default('odd'),
  infinite: z.union([z.boolean(), z.number()]).catch(false).default(false),
  layers: z.array(layerSchema).max(MAX_LISTED),
  tilesets: z.array(tilesetSchema).max(MAX_LISTED).catch([]).default([]),
});

export type TiledJson = z.infer<typeof tiledSchema>;
export type TiledLayer = z.infer<typeof layerSchema>;
