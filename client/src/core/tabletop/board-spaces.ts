import type { Space } from '../layout/spaces.ts';

/** Most snap points of one board: the game shows each as an object. */
export const MAX_SNAP_POINTS = 1_000;

/** Shares are kept to a millionth of the board's side. */
const shown = (share: number): string => String(Math.round(share * 1e6) / 1e6);

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
  const points = spaces.filter(({ role }) => role !== 'area').slice(0, MAX_SNAP_POINTS);
  if (points.length === 0) return '';
  const rows = points.map(({ role, x, y, turn }) => {
    // A piece stays as it is held; cards lie straight.
    const turned = role !== 'spot';
    return `{${shown(0.5 - x / size.w)},${shown(y / size.h - 0.5)},${turn},${turned}}`;
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
    }
  end
  self.setSnapPoints(points)
end
`;
}
