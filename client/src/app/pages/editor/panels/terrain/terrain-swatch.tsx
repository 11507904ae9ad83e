import type { Terrain } from '../../../../../core/scene/board/terrain.ts';
import { patternFigure } from '../../../../../core/scene/board/terrain-figures.ts';
import { SourceThumbnail } from '../../../../images/image-field.tsx';
import css from '../map/map-fields.module.css';

/** A terrain as its cells look. */
export function TerrainSwatch({ terrain }: { terrain: Terrain }) {
  if (terrain.source !== '') {
    return (
      <span className={css.swatch} style={{ background: terrain.color }}>
        <SourceThumbnail source={terrain.source} />
      </span>
    );
  }
  const figure = patternFigure(terrain.pattern);
  return (
    <svg className={css.swatch} viewBox="0 0 100 100" aria-hidden>
      <rect width="100" height="100" fill={terrain.color} />
      {figure && (
        <path
          d={figure.path}
          fill={figure.filled ? terrain.ink : 'none'}
          stroke={figure.filled ? 'none' : terrain.ink}
          strokeWidth="5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
