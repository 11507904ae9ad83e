import { MAX_TRACK_PLACES } from '../../../../core/board/track.ts';
import { MAX_NAME_LENGTH } from '../../../../core/scene/limits.ts';
import type { PathZone } from '../../../../core/scene/zones/path.ts';
import { cutText } from '../../../../core/text/cut-text.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone, siblingsOf } from '../state/zones/zones.ts';
import { startIn } from './generation.ts';
import { FIRST_TRACK, TRACK, type TrackFill } from './track.tsx';

/** Size of a number on a place, in points for each of its millimetres. */
const PT_PER_MM = 0.9;

/** Draws the spaces along a path as places with numbers, which are spaces in their stead: a track, one act. */
export function drawPathSpaces(model: EditorModel, path: PathZone): void {
  const { count, size, role, ...traits } = path.spaces;
  const settings: TrackFill = {
    ...FIRST_TRACK,
    name: path.name,
    count: Math.min(MAX_TRACK_PLACES, count),
    depth: size,
    role,
    traits,
    round: true,
    size: Math.max(4, Math.round(size * PT_PER_MM)),
    line: { points: path.points, smooth: path.smooth, closed: path.closed },
  };
  startIn(model, TRACK, path, settings, (draft, track) => {
    const { rotation, flipX, flipY } = path;
    const name = cutText(`Track along ${path.name}`, MAX_NAME_LENGTH);
    Object.assign(track, { name, rotation, flipX, flipY });
    const list = siblingsOf(draft.zones, path.id) ?? draft.zones;
    list.splice(list.findIndex(({ id }) => id === path.id) + 1, 0, track);
    const own = findZone(draft, path.id);
    if (own?.kind === 'path') own.spaces.count = 0;
  });
}
