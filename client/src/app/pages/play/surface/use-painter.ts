import { useEffect, useMemo, useReducer, useRef } from 'react';
import type { CommonLook, Drawn } from '../../../../core/play/protocol/looks.ts';
import { CACHE_BYTES, FaceCache, SMALL_CACHE_BYTES } from '../../../../render/play/face-cache.ts';
import { TablePainter } from '../../../../render/play/table-painter.ts';
import type { TableColours } from '../../../../render/play/table-scene.ts';
import { onLibrary } from '../../../../workers/sources/library.ts';
import { sharedRenderer } from '../../../painting/renderer.ts';

/** Devices with no more memory than this keep half as many pictures, in gigabytes. */
const LITTLE_MEMORY_GB = 4;

/** A cache of painted sides, and a number that is another one whenever a picture came. */
export function useFaces(common: CommonLook): { faces: FaceCache<Drawn>; painted: number } {
  const [painted, came] = useReducer((count: number) => count + 1, 0);
  const layouts = useRef(common);
  layouts.current = common;
  const faces = useMemo(() => {
    const { deviceMemory = 8 } = navigator as { deviceMemory?: number };
    return new FaceCache<Drawn>(
      (drawn, width, signal) => paintSide(layouts.current, drawn, width, signal),
      came,
      deviceMemory <= LITTLE_MEMORY_GB ? SMALL_CACHE_BYTES : CACHE_BYTES,
    );
  }, []);
  // Layouts are no part of a side's key: after a change of them all sides are painted anew.
  const known = useRef(common);
  useEffect(() => {
    if (known.current !== common) faces.forget();
    known.current = common;
  }, [common, faces]);
  useEffect(() => {
    const stop = onLibrary(() => faces.forget());
    return () => {
      stop();
      faces.dispose();
    };
  }, [faces]);
  return { faces, painted };
}

async function paintSide(
  { layouts, tables }: CommonLook,
  { layout: no, table, pictures: _pictures, ...row }: Drawn,
  width: number,
  signal: AbortSignal,
): Promise<ImageBitmap> {
  const layout = layouts[no];
  if (!layout) throw new Error('The box has no such layout.');
  const options = {
    columns: tables[table] ?? [],
    pxPerMm: width / layout.size.w,
    clipToTrim: true,
    signal,
  };
  return sharedRenderer().renderCard(layout, row, options);
}

export const usePainter = (faces: FaceCache<Drawn>): TablePainter =>
  useMemo(() => new TablePainter(faces, (w, h) => new OffscreenCanvas(w, h)), [faces]);

/** The theme's colours for the table. */
export function tableColours(element: Element): TableColours {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    felt: of('--felt'),
    line: of('--line-strong'),
    ink: of('--ink'),
    soft: of('--felt-ink'),
    surface: of('--surface'),
    accent: of('--accent'),
    back: of('--card-back'),
    note: of('--note'),
  };
}
