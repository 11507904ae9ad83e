import { useLayoutEffect, useState } from 'react';
import { describeError } from '../../data/server/messages.ts';

/** State of a canvas painted by a worker; `problem` is the reason why painting failed. */
export type PaintedState =
  | { readonly state: 'waiting' | 'painted'; readonly problem?: undefined }
  | { readonly state: 'failed'; readonly problem: string };

/** Brings a picture: at once where there is one, else when a worker has painted it. */
export type BitmapSource = (signal: AbortSignal) => ImageBitmap | Promise<ImageBitmap>;

/**
 * Shows a picture on a canvas, which takes its size. A new source cancels the old one's painting; what
 * is seen stays until the new picture is there.
 * @param source keeps its identity while the picture is the same; undefined while it is not wanted
 * @param shared the bitmap has another owner and is not closed
 */
export function usePaintedCanvas(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  source: BitmapSource | undefined,
  shared = false,
): PaintedState {
  const [state, setState] = useState<PaintedState>({ state: 'waiting' });
  useLayoutEffect(() => {
    if (!source) return;
    const abort = new AbortController();
    const show = (bitmap: ImageBitmap): void => {
      const element = canvas.current;
      if (element && !abort.signal.aborted) {
        element.width = bitmap.width;
        element.height = bitmap.height;
        element.getContext('2d')?.drawImage(bitmap, 0, 0);
        setState({ state: 'painted' });
      }
      if (!shared) bitmap.close();
    };
    const found = source(abort.signal);
    if (found instanceof ImageBitmap) show(found);
    else
      found.then(show, (error: unknown) => {
        if (abort.signal.aborted) return;
        console.error(error);
        setState({ state: 'failed', problem: describeError(error) });
      });
    return () => abort.abort();
  }, [canvas, source, shared]);
  return state;
}
