import { isNear, plainTraits } from '../../../../../core/board/space.ts';
import { spacesOf } from '../../../../../core/layout/laid-spaces.ts';
import { EMPTY_ROW } from '../../../../../core/scene/card/row.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { MAX_ZONES } from '../../../../../core/scene/limits.ts';
import type { SpaceZone } from '../../../../../core/scene/zones/space.ts';
import { newZone } from '../../../../../core/scene/zones.ts';
import { boardsOfSave, type ReadBoard, type ReadPoint } from '../../../../../core/tabletop/read-spaces.ts';
import { readSave, SaveError } from '../../../../../core/tabletop/save.ts';
import { newZoneId } from '../../new-zone-id.ts';
import type { EditorModel } from '../editor-store.ts';
import { allZones } from '../zones/zones.ts';

/** Points nearer to a space than this are its own. */
const SAME_MM = 0.1;
/** Side of a space that a point becomes. */
const SIDE_MM = 15;

export interface AddedSpaces {
  /** Name of the board in the save. */
  readonly board: string;
  readonly added: number;
  /** Points that are spaces of the layout already. */
  readonly known: number;
  /** Points that lie far outside of the board. */
  readonly outside: number;
  /** Points beyond the zones that a layout may have. */
  readonly left: number;
}

/**
 * Makes snap points of a save of Tabletop Simulator spaces, as one act: those of the board that agrees most with the
 * layout, as far as they are no spaces yet.
 * @throws SaveError in words
 */
export function addSavedSpaces(model: EditorModel, text: string): AddedSpaces {
  const { scene } = model.state;
  const boards = boardsOfSave(readSave(text), scene.size);
  const isKnown = knownPlaces(scene);
  const best = boards
    .map((board) => ({ board, fresh: board.points.filter((point) => !isKnown(point)) }))
    .sort((a, b) => b.board.points.length - b.fresh.length - (a.board.points.length - a.fresh.length))[0];
  if (!best) {
    throw new SaveError(
      'That save has no board that was exported from here: only of those is it known how large they are in the game.',
    );
  }
  const near = best.fresh.filter(({ x, y }) => isNear({ x, y, w: 0, h: 0 }, { x: 0, y: 0, ...scene.size }));
  const room = Math.max(0, MAX_ZONES - allZones(scene.zones).length);
  const fresh = near.slice(0, room);
  const zones = spacesFor(scene, best.board, fresh);
  if (zones.length > 0)
    model.act((draft) => void draft.zones.push(...zones), { select: zones.map(({ id }) => id) });
  return {
    board: best.board.name,
    added: zones.length,
    known: best.board.points.length - best.fresh.length,
    outside: best.fresh.length - near.length,
    left: near.length - fresh.length,
  };
}

/** Tells if a point is a space of the layout: among thousands, only those of the square around it are looked at. */
function knownPlaces(scene: Layout): (point: ReadPoint) => boolean {
  const squares = new Map<string, { readonly x: number; readonly y: number }[]>();
  const squareOf = (x: number, y: number): string => `${Math.floor(x)} ${Math.floor(y)}`;
  for (const { role, x, y } of spacesOf(scene, EMPTY_ROW, [])) {
    if (role === 'area') continue;
    const key = squareOf(x, y);
    squares.set(key, [...(squares.get(key) ?? []), { x, y }]);
  }
  const around = [-1, 0, 1];
  return ({ x, y }) =>
    around
      .flatMap((dx) => around.flatMap((dy) => squares.get(squareOf(x + dx, y + dy)) ?? []))
      .some((space) => Math.hypot(space.x - x, space.y - y) <= SAME_MM);
}

function spacesFor(scene: Layout, board: ReadBoard, points: readonly ReadPoint[]): SpaceZone[] {
  const names = new Set(allZones(scene.zones).map(({ name }) => name));
  let number = board.points.length - points.length;
  const round = (value: number) => Math.round(value * 100) / 100;
  return points.map(({ x, y, turn, accepts }): SpaceZone => {
    do number++;
    while (names.has(`Space ${number}`));
    const box = { x: round(x - SIDE_MM / 2), y: round(y - SIDE_MM / 2), w: SIDE_MM, h: SIDE_MM };
    return {
      ...newZone('space', newZoneId(), `Space ${number}`, box),
      ...plainTraits('spot'),
      accepts: [...accepts],
      ...(turn !== undefined && { turning: 'angle', turn: turn % 360 }),
    };
  });
}
