import { type CSSProperties, type ReactNode, useRef } from 'react';
import shimmer from '../../ui/page/shimmer.module.css';
import { type BitmapSource, usePaintedCanvas } from './use-painted-canvas.ts';

/** A canvas that a worker paints; it shimmers until the first picture is there. */
export function PaintedCanvas({
  source,
  label,
  style,
  children,
}: {
  /** Keeps its identity while the picture is the same. */
  source: BitmapSource;
  /** Text for screen readers. */
  label: string;
  style?: CSSProperties;
  /** Content below the painting; receives the reason if painting failed. */
  children: (problem: string | undefined) => ReactNode;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { state, problem } = usePaintedCanvas(canvas, source);
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        aria-busy={state === 'waiting'}
        className={state === 'waiting' ? shimmer.shimmer : undefined}
        data-state={state}
        style={style}
      />
      {children(problem)}
    </>
  );
}
