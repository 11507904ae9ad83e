import { useCallback, useEffect, useRef, useState } from 'react';
import { type Painting, scaled } from '../../../core/imposition/images/painting.ts';
import { PaintedCanvas } from '../../painting/painted-canvas.tsx';
import { sharedRenderer } from '../../painting/renderer.ts';
import type { BitmapSource } from '../../painting/use-painted-canvas.ts';
import css from './print.module.css';

/** Largest sides of a picture on screen, in CSS pixels. */
const MAX_WIDTH_PX = 620;
const MAX_HEIGHT_PX = 640;
const MAX_DEVICE_RATIO = 2;

/** A picture as its file will show it, made smaller to fit; chequered where it is transparent. */
export function PaintingPreview({ painting, caption }: { painting: Painting; caption: string }) {
  const area = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(MAX_WIDTH_PX);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(Math.min(MAX_WIDTH_PX, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const fit = Math.min(1, room / painting.width, MAX_HEIGHT_PX / painting.height);
  const paint = useCallback<BitmapSource>(
    (signal) => {
      const ratio = Math.min(MAX_DEVICE_RATIO, window.devicePixelRatio || 1);
      return sharedRenderer().renderPainting(scaled(painting, fit * ratio), { signal });
    },
    [painting, fit],
  );
  return (
    <figure className={css.picture} ref={area}>
      <PaintedCanvas
        source={paint}
        label={caption}
        style={{ width: painting.width * fit, height: painting.height * fit }}
      >
        {(problem) => (
          <>
            <figcaption>
              {caption}
              <small>
                {painting.width} × {painting.height} pixels
              </small>
            </figcaption>
            {problem && <p className={css.hint}>This picture could not be painted: {problem}</p>}
          </>
        )}
      </PaintedCanvas>
    </figure>
  );
}

/** Most names listed. */
const MAX_LISTED = 8;

/** The first files of an export, and how many more there are. */
export function FileList({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div className={css.files}>
      <h2>
        {names.length} {names.length === 1 ? 'file' : 'files'}
      </h2>
      <ul>
        {names.slice(0, MAX_LISTED).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {names.length > MAX_LISTED && <li>and {names.length - MAX_LISTED} more</li>}
      </ul>
    </div>
  );
}
