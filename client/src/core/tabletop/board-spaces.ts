import type { AcceptedPiece } from '../board/space.ts';
import type { Space } from '../layout/spaces.ts';
import type { Layout } from '../scene/layout.ts';
import { definitionOf, isParent } from '../scene/zones.ts';

/** Tags of pieces, which snap points that accept only some kinds ask for. */
export const PIECE_TAGS: Readonly<Record<AcceptedPiece, string>> = {
  card: 'Card',
  token: 'Token',
  tile: 'Tile',
  die: 'Die',
};

/** True if a space of a layout takes in only some kinds of pieces, so that pieces need tags. */
export const tellsPiecesApart = ({ zones }: Pick<Layout, 'zones'>): boolean =>
  zones.some((zone) =>
    isParent(zone)
      ? tellsPiecesApart({ zones: zone.children })
      : definitionOf(zone)
          .spaceTraits(zone)
          .some(({ accepts }) => accepts.length > 0),
  );

/** Spaces with a place in the order of play come first, by it; the others keep that of the layers. */
export const inOrder = (spaces: readonly Space[]): Space[] =>
  spaces.toSorted(
    (a, b) => (a.order || Number.POSITIVE_INFINITY) - (b.order || Number.POSITIVE_INFINITY) || 0,
  );

/** Shares are kept to a millionth of the board's side, angles to a millionth of a degree. */
const shown = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/**
 * The script of a board in Tabletop Simulator that gives it snap points; empty without any.
 *
 * A save cannot hold them: they are in the board's own units, and how many of those a board is wide follows from its
 * image only once the game has loaded it. The script asks the board for its size. It runs after a script of the
 * designer's own that it is appended to.
 *
 * On a board that faces the player its own x points left and its own z down.
 *
 * @param size of the board, in millimetres
 */
export function boardScript(
  spaces: readonly Space[],
  size: { readonly w: number; readonly h: number },
): string {
  const points = inOrder(spaces.filter(({ role }) => role !== 'area'));
  if (points.length === 0) return '';
  const rows = points.map(({ x, y, turn, piecesTurn, accepts }) => {
    const tags = accepts.length > 0 ? `,{${accepts.map((kind) => `"${PIECE_TAGS[kind]}"`).join(',')}}` : '';
    const [angle, turned] = [shown(piecesTurn ?? turn), piecesTurn !== undefined];
    return `{${shown(0.5 - x / size.w)},${shown(y / size.h - 0.5)},${angle},${turned}${tags}}`;
  });
  return `-- Snap points of the spaces of this board.
local spaces = {
${rows.join(',\n')}
}
local loaded = onLoad
function onLoad(state)
  if loaded then loaded(state) end
  local size, scale = self.getBoundsNormalized().size, self.getScale()
  local points = {}
  for index, space in ipairs(spaces) do
    points[index] = {
      position = { space[1] * size.x / scale.x, 0.1, space[2] * size.z / scale.z },
      rotation = { 0, space[3], 0 },
      rotation_snap = space[4],
      tags = space[5],
    }
  end
  self.setSnapPoints(points)
end
`;
}
