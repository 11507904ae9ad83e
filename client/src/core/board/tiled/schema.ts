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

const propertySchema = z.object({
  name: text,
  type: text.optional(),
  value: z.union([z.string().max(500), z.number(), z.boolean()]).catch(''),
});

const pointSchema = z.object({ x: z.number(), y: z.number() });

const objectSchema = z.object({
  id: z.number().int().catch(0).default(0),
  name: text.optional(),
  /** Its class; `type` before Tiled 1.9 and since 1.10. */
  class: text.optional(),
  type: text.optional(),
  x: z.number().default(0),
  y: z.number().default(0),
  width: z.number().catch(0).default(0),
  height: z.number().catch(0).default(0),
  /** Degrees clockwise about its corner. */
  rotation: z.number().catch(0).default(0),
  visible: z.boolean().catch(true).default(true),
  /** It is a tile, whose corner is the lower left one. */
  gid: z.number().optional().catch(undefined),
  polygon: z.array(pointSchema).max(MAX_LISTED).optional().catch(undefined),
  polyline: z.unknown().optional(),
  text: z.unknown().optional(),
  template: z.unknown().optional(),
  properties: z.array(propertySchema).max(100).catch([]).default([]),
});
export type TiledObject = z.infer<typeof objectSchema>;

/** Most numbers of a layer that are read at all; more than a map may have, so that it is told how many it has. */
const MAX_NUMBERS = 50 * MAX_MAP_CELLS;
const dataSchema = z.union([z.array(z.number().int().min(0)).max(MAX_NUMBERS), z.string().max(2_000_000)]);

/** A piece of a layer of a map that Tiled calls infinite. */
const chunkSchema = z.object({
  x: z.number().int().min(-1e6).max(1e6),
  y: z.number().int().min(-1e6).max(1e6),
  width: side,
  height: side,
  data: dataSchema,
});

const layerShape = {
  type: text,
  name: text.optional(),
  visible: z.boolean().catch(true).default(true),
  data: dataSchema.optional(),
  encoding: text.optional(),
  compression: text.optional(),
  chunks: z.array(chunkSchema).max(MAX_LISTED).optional(),
  objects: z.array(objectSchema).max(MAX_LISTED).optional(),
  offsetx: z.number().catch(0).default(0),
  offsety: z.number().catch(0).default(0),
};

/** A layer; a group has others inside. */
export interface TiledLayer extends z.infer<z.ZodObject<typeof layerShape>> {
  readonly layers?: readonly TiledLayer[] | undefined;
}

const layerSchema: z.ZodType<TiledLayer> = z.object({
  ...layerShape,
  layers: z.lazy(() => z.array(layerSchema).max(MAX_LISTED)).optional(),
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
  layers: z.array(layerSchema).max(MAX_LISTED),
  tilesets: z.array(tilesetSchema).max(MAX_LISTED).catch([]).default([]),
});

export type TiledJson = z.infer<typeof tiledSchema>;
