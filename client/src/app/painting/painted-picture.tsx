import { type CSSProperties, type ReactNode, useRef } from 'react';
import shimmer from '../../ui/shimmer.module.css';
import { type BitmapSource, usePaintedCanvas } from './use-painted-canvas.ts';

/** A canvas that a worker paints; it shimmers until the first picture is there. */
export function PaintedPicture({
  source,
  label,
  style,
  children,
}: {
  /** Keeps its identity while the picture is the same. */
  source: BitmapSource;
  /** What screen readers say. */
  label: string;
  style?: CSSProperties;
  /** What follows it; is told why the picture could not be painted. */
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
