import { useLayoutEffect, useState } from 'react';
import { describeError } from '../../data/messages.ts';

/** How a canvas stands that a worker paints. */
export interface PaintedState {
  readonly painted: boolean;
  /** Why it could not be painted. */
  readonly problem: string | undefined;
}

/** Brings a picture: at once where there is one, else when a worker has painted it. */
export type BitmapSource = (signal: AbortSignal) => ImageBitmap | Promise<ImageBitmap>;

/**
 * Shows a picture on a canvas, which takes its size. A new source cancels the old one's painting; what
 * is seen stays until the new picture is there.
 * @param source keeps its identity while the picture is the same; undefined while it is not wanted
 * @param lent the picture belongs to somebody else and is not closed
 */
export function usePaintedCanvas(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  source: BitmapSource | undefined,
  lent = false,
): PaintedState {
  const [state, setState] = useState<PaintedState>({ painted: false, problem: undefined });
  useLayoutEffect(() => {
    if (!source) return;
    const abort = new AbortController();
    const show = (bitmap: ImageBitmap): void => {
      const element = canvas.current;
      if (element && !abort.signal.aborted) {
        element.width = bitmap.width;
        element.height = bitmap.height;
        element.getContext('2d')?.drawImage(bitmap, 0, 0);
        setState({ painted: true, problem: undefined });
      }
      if (!lent) bitmap.close();
    };
    const found = source(abort.signal);
    if (found instanceof ImageBitmap) show(found);
    else
      found.then(show, (error: unknown) => {
        if (abort.signal.aborted) return;
        console.error(error);
        setState({ painted: false, problem: describeError(error) });
      });
    return () => abort.abort();
  }, [canvas, source, lent]);
  return state;
}
