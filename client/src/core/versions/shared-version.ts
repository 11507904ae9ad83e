import * as z from 'zod';
import { cardName } from '../imposition/job/card-name.ts';
import { rowRead } from '../play/box/cells-read.ts';
import type { PackPart } from '../play/box/pack.ts';
import { bareRecord } from '../records.ts';
import { type Layout, layoutSchema } from '../scene/layout.ts';

/**
 * A version as people see it who have its public link: what its cards and boards draw, and nothing that they do not draw.
 * Whoever reads it needs nothing of the project itself.
 */
export const SHARED_VERSION = 1;

/** Most cards, layouts, pictures and rulebooks of one. */
const MAX_CARDS = 20_000;
const MAX_LAYOUTS = 2_000;
const MAX_IMAGES = 10_000;
const MAX_BOOKS = 100;

const text = z.string().max(20_000);
const share = z.number().min(0).max(1);
const address = z.string().max(4_000);

const imageSchema = z.object({
  id: z.string().max(200),
  shelf: z.enum(['image', 'stock']),
  path: z.string().max(1_000),
  former: z.array(z.string().max(1_000)).max(100),
  url: address,
  crop: z.object({ x: share, y: share, w: share, h: share }).optional(),
  focus: z.object({ x: share, y: share }).optional(),
});
/** A picture that cards show. */
export type SharedImage = z.infer<typeof imageSchema>;

const cardSchema = z.object({
  name: text,
  copies: z.number().int().min(0),
  cells: z.record(z.string(), z.string()).transform((cells) => bareRecord(Object.entries(cells))),
});

const partSchema = z.object({
  /** Id and name of the component. */
  component: z.string().max(200),
  name: text,
  /** Places among the layouts and the tables; without a back, `null`. */
  layout: z.number().int().min(0),
  back: z.number().int().min(0).nullable(),
  table: z.number().int().min(0),
  cards: z.array(cardSchema).max(MAX_CARDS),
});
export type SharedPart = z.infer<typeof partSchema>;

const sharedSchema = z.object({
  version: z.literal(SHARED_VERSION),
  /** Name of the game, and the version's name and number. */
  game: text,
  name: text,
  number: z.number().int().min(1),
  /** When it was frozen, in milliseconds since 1970. */
  at: z.number(),
  layouts: z.array(layoutSchema).max(MAX_LAYOUTS),
  /** Columns of each component. */
  tables: z.array(z.array(z.object({ key: z.string(), name: z.string() }))).max(MAX_LAYOUTS),
  images: z.array(imageSchema).max(MAX_IMAGES),
  parts: z.array(partSchema).max(MAX_LAYOUTS),
  /** Rulebooks: their titles, and the addresses of their texts. */
  rulebooks: z.array(z.object({ title: text, file: address })).max(MAX_BOOKS),
});
export type SharedVersion = z.infer<typeof sharedSchema>;

/** Reads a version as it was stored. @throws Error when it is none */
export function parseSharedVersion(value: unknown): SharedVersion {
  const result = sharedSchema.safeParse(value);
  const found = result.data;
  const has = (list: readonly unknown[], at: number | null) => at === null || at < list.length;
  const fits = found?.parts.every(
    ({ layout, back, table }) =>
      has(found.layouts, layout) && has(found.layouts, back) && has(found.tables, table),
  );
  if (!found || !fits) throw new Error('This version was stored by another program, or is damaged.');
  return found;
}

/** A layout without what only its editor needs. */
const drawn = ({ sample: _sample, ...layout }: Layout): Layout => ({ ...layout, guides: { x: [], y: [] } });

function placeIn<T>(known: Map<T, number>, value: T): number {
  const place = known.get(value) ?? known.size;
  known.set(value, place);
  return place;
}

/** The cards of a version with the cells that their faces and backs read, each layout once. */
export function sharedParts(given: readonly PackPart[]): Pick<SharedVersion, 'layouts' | 'tables' | 'parts'> {
  const layouts = new Map<Layout, number>();
  const tables = new Map<PackPart['part']['columns'], number>();
  const parts = given.map(({ component, name, part }): SharedPart => {
    const { layout, back, columns } = part;
    return {
      ...{ component, name, layout: placeIn(layouts, layout), table: placeIn(tables, columns) },
      back: back ? placeIn(layouts, back) : null,
      cards: part.cards.flatMap(({ row, copies }, index) => {
        // A card without copies is not in the game.
        if (copies === 0) return [];
        const all = { index: index + 1, count: part.cards.length, ...row };
        const cells = {
          ...rowRead(layout, all, columns).cells,
          ...(back && rowRead(back, all, columns).cells),
        };
        return [{ name: cardName({ ...all, cells }, columns, index), copies, cells }];
      }),
    };
  });
  return {
    layouts: [...layouts.keys()].map(drawn),
    tables: [...tables.keys()].map((columns) => columns.map(({ key, name }) => ({ key, name }))),
    parts,
  };
}
