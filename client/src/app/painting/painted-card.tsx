import { useEffect, useRef, useState } from 'react';
import type { Column } from '../../core/scene/row.ts';
import type { Layout } from '../../core/scene/zone.ts';
import css from './painted-card.module.css';
import { pictures } from './picture-cache.ts';
import { sharedRenderer } from './renderer.ts';

/** Sharper than this is not seen and costs memory. */
const MAX_DEVICE_RATIO = 2;

/** A card painted by a worker. Its size on screen follows `width`, in CSS pixels. */
export function PaintedCard({
  layout,
  cells,
  columns,
  width,
  label,
  square = false,
}: {
  layout: Layout;
  cells: Readonly<Record<string, string>>;
  columns: readonly Column[];
  width: number;
  /** What screen readers say; empty when the text beside it says so already. */
  label: string;
  /** Leave the corners on, as on a sheet before it is cut. */
  square?: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'waiting' | 'painted' | 'failed'>('waiting');
  const height = (width * layout.size.h) / layout.size.w;

  useEffect(() => {
    const ratio = Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1);
    const key = pictures.key(layout, cells, columns, width * ratio, square);
    const show = (bitmap: ImageBitmap) => {
      const element = canvas.current;
      const ctx = element?.getContext('2d');
      if (!element || !ctx) return;
      element.width = bitmap.width;
      element.height = bitmap.height;
      ctx.drawImage(bitmap, 0, 0);
      setState('painted');
    };
    const known = pictures.get(key);
    if (known) {
      show(known);
      return;
    }
    const abort = new AbortController();
    const pxPerMm = (width * ratio) / layout.size.w;
    sharedRenderer()
      .renderCard(layout, { cells }, { columns, pxPerMm, cut: !square, signal: abort.signal })
      .then(
        (bitmap) => {
          pictures.set(key, bitmap);
          if (!abort.signal.aborted) show(bitmap);
        },
        (error) => {
          if (abort.signal.aborted) return;
          console.error(error);
          setState('failed');
        },
      );
    return () => abort.abort();
  }, [layout, cells, columns, width, square]);

  return (
    <span className={css.frame} data-state={state} style={{ width, height }}>
      <canvas
        ref={canvas}
        className={css.canvas}
        {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      />
      {state === 'failed' && <span className={css.failed}>This card could not be painted.</span>}
    </span>
  );
}
