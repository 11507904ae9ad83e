import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { useWithout } from '../../data/opening.ts';
import shimmer from '../../ui/page/shimmer.module.css';
import { knownLibrary, onLibrary } from '../../workers/sources/library.ts';
import { useInOwnLanguage } from './own-language.ts';
import css from './painted-card.module.css';
import { paintings } from './painting-cache.ts';
import { sharedRenderer } from './renderer.ts';
import { useNear } from './use-near.ts';
import { type BitmapSource, usePaintedCanvas } from './use-painted-canvas.ts';

/** Sharper than this is not seen and costs memory. */
const MAX_DEVICE_RATIO = 2;

/** A card painted by a worker. Its size on screen follows `width`, in CSS pixels. */
export function PaintedCard({
  layout: given,
  cells,
  words,
  rest,
  columns,
  width,
  label,
  square = false,
}: {
  layout: Layout;
  cells: Readonly<Record<string, string>>;
  /** Cells as they are printed in another language. */
  words?: Readonly<Record<string, string>> | undefined;
  /** The rest of its row, where formulas may ask for it. */
  rest?: Pick<Row, 'index' | 'count' | 'languages'> | undefined;
  columns: readonly Column[];
  width: number;
  /** Text for screen readers; empty when the text beside it says the same. */
  label: string;
  /** Leave the corners on, as on a sheet before it is cut. */
  square?: boolean;
}) {
  const layout = useInOwnLanguage(given);
  const frame = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const seen = useNear(frame);
  const near = useWithout().pictures ? false : seen;
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  const height = (width * layout.size.h) / layout.size.w;

  const paint = useCallback<BitmapSource>(
    (signal) => {
      const ratio = Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1);
      const { index, count, languages } = rest ?? {};
      const row = { cells, words, languages, ...(index && { index }), ...(count && { count }) };
      const key = paintings.key(layout, words || rest ? row : cells, columns, width * ratio, square);
      const known = paintings.get(key, library);
      if (known) return known;
      const pxPerMm = (width * ratio) / layout.size.w;
      return sharedRenderer()
        .render(layout, row, { columns, pxPerMm, clipToTrim: !square, signal })
        .then(({ bitmap, sources, library: used }) => paintings.set(key, bitmap, sources, used));
    },
    [layout, cells, words, rest, columns, width, square, library],
  );
  const { state: canvasState } = usePaintedCanvas(canvas, near ? paint : undefined, true);
  const state = canvasState === 'waiting' && near === false ? 'away' : canvasState;

  return (
    <span
      ref={frame}
      className={state === 'waiting' ? `${css.frame} ${shimmer.shimmer}` : css.frame}
      data-state={state}
      style={{ width, height }}
    >
      <canvas
        ref={canvas}
        className={css.canvas}
        {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      />
      {state === 'failed' && <span className={css.failed}>This card could not be painted.</span>}
    </span>
  );
}
