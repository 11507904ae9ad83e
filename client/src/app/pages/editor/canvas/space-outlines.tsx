import type { OwnSpace } from '../../../../core/board/space.ts';
import type { ZoneFrame } from '../../../../core/scene/display-list.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { definitionOf } from '../../../../core/scene/zones.ts';
import { findZone } from '../state/zones.ts';
import css from './canvas.module.css';

/** Most spaces that are outlined. */
const MAX_OUTLINED = 2_000;

/** Outline of a space: a spot is a circle. */
function outlineOf({ role, box: { x, y, w, h } }: OwnSpace, scale: number): string {
  const [left, top, width, height] = [x * scale, y * scale, w * scale, h * scale];
  if (role !== 'spot') return `M${left} ${top}h${width}v${height}h${-width}Z`;
  const radius = Math.min(width, height) / 4;
  const [cx, cy] = [left + width / 2, top + height / 2];
  return `M${cx - radius} ${cy}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** Places for pieces, which are not painted: those made by hand always, those of a map or a path while it is selected. */
export function SpaceOutlines({
  scene,
  frames,
  selection,
  scale,
}: {
  scene: Layout;
  frames: readonly ZoneFrame[];
  selection: readonly string[];
  scale: number;
}) {
  let left = MAX_OUTLINED;
  const shown = frames.flatMap((frame) => {
    const zone = frame.kind === 'base' ? undefined : findZone(scene, frame.zone);
    if (!zone || (zone.kind !== 'space' && !selection.includes(zone.id))) return [];
    const spaces = definitionOf(zone).spaces?.(zone, frame.box).slice(0, left) ?? [];
    left -= spaces.length;
    if (spaces.length === 0) return [];
    const [a, b, c, d, e, f] = frame.matrix;
    const path = spaces.map((space) => outlineOf(space, scale)).join('');
    return [{ id: frame.id, path, transform: `matrix(${a} ${b} ${c} ${d} ${e * scale} ${f * scale})` }];
  });
  if (shown.length === 0) return null;
  return (
    <svg className={css.spaces} aria-hidden data-spaces>
      {shown.map(({ id, path, transform }) => (
        <g key={id} transform={transform}>
          <path className={css.spaceHalo} d={path} />
          <path className={css.space} d={path} />
        </g>
      ))}
    </svg>
  );
}
