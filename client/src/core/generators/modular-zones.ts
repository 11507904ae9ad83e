import {
  type DealtBoard,
  type DealtTile,
  dealTiles,
  type ModularCells,
  type ModularSettings,
} from '../board/modular.ts';
import { withNewIds } from '../scene/new-ids.ts';
import type { TextStyle } from '../scene/style/text-style.ts';
import { defaultTextStyle } from '../scene/style/text-style.ts';
import type { Box } from '../scene/zones/definition.ts';
import { newZone, type Zone, type ZoneOf } from '../scene/zones.ts';
import { zoneCount } from './baked-card.ts';

/** Most zones of one modular board: a layout holds 500, and others are to fit beside it. */
export const MAX_MODULAR_ZONES = 400;

/** A kind of tile. */
export interface ModularTile {
  readonly name: string;
  readonly copies: number;
  readonly colour: string;
  /** Its look, as zones in its box; without one it is an area of its colour with its name. */
  readonly look?: readonly Zone[];
}

export interface ModularContent extends ModularSettings {
  readonly name: string;
  readonly tiles: readonly ModularTile[];
  /** Size of every tile, in millimetres. */
  readonly size: { readonly w: number; readonly h: number };
}

export interface ModularStyle {
  readonly line: string;
  readonly type: Partial<TextStyle>;
}

/** Shapes that tiles are cut to. */
const CUTS: Readonly<Record<ModularCells, string>> = {
  square: '',
  'hex-pointy': 'polygon(50% 0%, 100% 25%, 100% 75%, 50% 100%, 0% 75%, 0% 25%)',
  'hex-flat': 'polygon(25% 0%, 75% 0%, 100% 50%, 75% 100%, 25% 100%, 0% 50%)',
};

/** The tiles in their places, as many as a layout can hold; those beyond count as left. */
export function dealtBoard(content: ModularContent): DealtBoard {
  const board = dealTiles(
    content.tiles.map(({ copies }) => copies),
    content.size,
    content,
  );
  let zones = 1;
  const tiles = board.tiles.filter(({ tile }) => {
    zones += zonesOf(content.tiles[tile]);
    return zones <= MAX_MODULAR_ZONES;
  });
  const omitted = board.tiles.length - tiles.length;
  return { ...board, tiles, empty: board.empty + omitted, left: board.left + omitted };
}

/** Zones of one tile: itself, its space, and its look. */
const zonesOf = (tile: ModularTile | undefined): number => 2 + (tile?.look ? zoneCount(tile.look) : 2);

/** A board of tiles in the middle of a box, as a group of ordinary zones: each tile a group with a space in it. */
export function modularZones(
  box: Box,
  content: ModularContent,
  style: ModularStyle,
  newId: () => string,
): ZoneOf<'container'> {
  const { w, h, tiles } = dealtBoard(content);
  const counts = new Map<string, number>();
  const children = tiles.flatMap((dealt): Zone[] => {
    const tile = content.tiles[dealt.tile];
    if (!tile) return [];
    const count = (counts.get(tile.name) ?? 0) + 1;
    counts.set(tile.name, count);
    return [tileZone(dealt, tile, count === 1 ? tile.name : `${tile.name} ${count}`, content, style, newId)];
  });
  const whole = { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
  return { ...newZone('container', newId(), content.name, whole), arrange: 'free', children };
}

function tileZone(
  { middle, turn }: DealtTile,
  tile: ModularTile,
  name: string,
  { size: { w, h }, cells }: ModularContent,
  style: ModularStyle,
  newId: () => string,
): Zone {
  const inside = { x: 0, y: 0, w, h };
  const space: Zone = { ...newZone('space', newId(), name, inside), role: 'spot' };
  const look = tile.look ? withNewIds(tile.look, newId) : plainLook(tile, inside, cells, style, newId);
  return {
    ...newZone('container', newId(), name, { x: middle.x - w / 2, y: middle.y - h / 2, w, h }),
    arrange: 'free',
    clip: true,
    clipPath: CUTS[cells],
    rotation: turn,
    children: [...look, space],
  };
}

function plainLook(
  { name, colour }: ModularTile,
  box: Box,
  cells: ModularCells,
  { line, type }: ModularStyle,
  newId: () => string,
): Zone[] {
  return [
    {
      ...newZone('shape', newId(), `Ground of ${name}`, box),
      clipPath: CUTS[cells],
      fill: { kind: 'solid', color: colour },
      stroke: { color: line, width: 0.5, align: 'inside', dash: [] },
    },
    {
      ...newZone('text', newId(), `Name of ${name}`, {
        x: box.w * 0.1,
        y: box.h * 0.3,
        w: box.w * 0.8,
        h: box.h * 0.4,
      }),
      text: name,
      style: { ...defaultTextStyle(), align: 'center', vAlign: 'middle', ...type },
    },
  ];
}
