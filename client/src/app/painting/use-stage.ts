import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { EMPTY_LIBRARY, type ImageLibrary } from '../../core/images/library.ts';
import type { DisplayList } from '../../core/scene/display-list.ts';
import type { Column, Row } from '../../core/scene/row.ts';
import type { Layout } from '../../core/scene/zone.ts';
import { canvasSize } from '../../render/canvas.ts';
import { Stage } from '../../render/stage.ts';
import { forgetChanged, knownLibrary, onLibrary, readyLibrary } from '../../workers/library.ts';
import { fetchFace, fetchFontList, imageReader } from '../../workers/sources.ts';

let shared: Stage | undefined;

/** The page's own stage: the editor lays out and paints without going through a worker. */
function pageStage(): Stage {
  shared ??= new Stage(fetchFace, imageReader(new Map(), readyLibrary), fetchFontList);
  return shared;
}

const NOTHING = { list: undefined, complete: false } as const;

let seen = EMPTY_LIBRARY;

/** The library; the stage forgets what it changed before anything is laid out with it. */
function useStageLibrary(): ImageLibrary {
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  if (library !== seen) {
    forgetChanged(pageStage(), seen, library);
    seen = library;
  }
  return library;
}

/**
 * A card laid out and painted on a canvas, again at every change. With everything loaded both are done
 * within the frame; fonts and images that are missing show as soon as they are there.
 */
export function useStage(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  layout: Layout,
  row: Row,
  columns: readonly Column[],
  pxPerMm: number,
): { list: DisplayList | undefined; error: Error | undefined } {
  const stage = pageStage();
  const [error, setError] = useState<Error>();
  const library = useStageLibrary();
  // How often something was loaded: what could not be laid out or painted before may be now.
  const [loads, setLoads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed library changes what the stage answers
  const { list, complete } = useMemo(() => {
    const tried = stage.tryLayOut(layout, row, columns);
    // Before the first fonts are there all text would jump.
    return tried.complete || loads > 0 ? tried : NOTHING;
  }, [stage, layout, row, columns, loads, library]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed library changes what the stage answers
  useEffect(() => {
    if (complete) {
      setError(undefined);
      return;
    }
    let stale = false;
    stage.layOut(layout, row, columns).then(
      () => {
        if (stale) return;
        setError(undefined);
        setLoads((count) => count + 1);
      },
      (reason: Error) => {
        if (!stale) setError(reason);
      },
    );
    return () => {
      stale = true;
    };
  }, [stage, layout, row, columns, complete, library]);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !list) return;
    let stale = false;
    const show = (): void => {
      const scale = pxPerMm * (window.devicePixelRatio || 1);
      const { width, height } = canvasSize(list, scale, true);
      // A canvas that is given a size is blank: painted within the same task, nobody sees it.
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
      const ctx = element.getContext('2d');
      ctx?.clearRect(0, 0, width, height);
      if (ctx) stage.paintNow(ctx, list, { scale, bleed: true });
    };
    if (stage.canPaint(list)) show();
    else
      stage.decode(list).then(
        () => {
          if (!stale) show();
        },
        (reason: Error) => {
          if (!stale) setError(reason);
        },
      );
    return () => {
      stale = true;
    };
  }, [stage, canvas, list, pxPerMm]);

  return { list, error };
}
