import { useEffect, useRef, useState } from 'react';
import type { DisplayList } from '../../../../core/scene/display-list.ts';
import type { Column, Row } from '../../../../core/scene/row.ts';
import type { Layout } from '../../../../core/scene/zone.ts';
import { Stage } from '../../../../render/stage.ts';
import { fetchFace, imageReader } from '../../../../workers/sources.ts';

let shared: Stage | undefined;

/** The page's own stage: the editor lays out and paints without going through a worker. */
function pageStage(): Stage {
  shared ??= new Stage(fetchFace, imageReader(new Map()));
  return shared;
}

/**
 * A card laid out and painted on a canvas, again at every change. What is loaded already shows at
 * once; fonts and images that are missing show as soon as they are there.
 */
export function useStage(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  layout: Layout,
  row: Row,
  columns: readonly Column[],
  pxPerMm: number,
): { list: DisplayList | undefined; error: Error | undefined } {
  const [list, setList] = useState<DisplayList>();
  const [error, setError] = useState<Error>();
  const ready = useRef(false);

  useEffect(() => {
    let stale = false;
    const stage = pageStage();
    if (ready.current) setList(stage.layOutNow(layout, row, columns));
    stage.layOut(layout, row, columns).then(
      (complete) => {
        ready.current = true;
        if (stale) return;
        setError(undefined);
        setList(complete);
      },
      (reason: Error) => {
        if (!stale) setError(reason);
      },
    );
    return () => {
      stale = true;
    };
  }, [layout, row, columns]);

  useEffect(() => {
    const element = canvas.current;
    if (!element || !list) return;
    let stale = false;
    const ratio = window.devicePixelRatio || 1;
    const scale = pxPerMm * ratio;
    const width = Math.round((list.w + 2 * list.bleed) * scale);
    const height = Math.round((list.h + 2 * list.bleed) * scale);
    // Painted aside and shown whole: a canvas that is resized is blank until then.
    const aside = new OffscreenCanvas(width, height);
    const ctx = aside.getContext('2d');
    if (!ctx) return;
    pageStage()
      .paint(ctx, list, { scale, bleed: true })
      .then(
        () => {
          if (stale) return;
          element.width = width;
          element.height = height;
          element.getContext('2d')?.drawImage(aside, 0, 0);
        },
        (reason: Error) => {
          if (!stale) setError(reason);
        },
      );
    return () => {
      stale = true;
    };
  }, [canvas, list, pxPerMm]);

  return { list, error };
}
