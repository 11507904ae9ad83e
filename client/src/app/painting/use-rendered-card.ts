import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { EMPTY_LIBRARY, type ImageLibrary } from '../../core/images/library.ts';
import type { Column, Row } from '../../core/scene/card/row.ts';
import type { DisplayList } from '../../core/scene/display/display-list.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { useWithout } from '../../data/opening.ts';
import { canvasSize } from '../../render/canvas/canvas.ts';
import { changedArea } from '../../render/canvas/changed-area.ts';
import { RenderContext } from '../../render/render-context.ts';
import { forgetChanged, knownLibrary, onLibrary, readyLibrary } from '../../workers/sources/library.ts';
import { FONT_LISTS, fetchFace, imageReader } from '../../workers/sources/sources.ts';
import { useInOwnLanguage } from './own-language.ts';

let shared: RenderContext | undefined;

/** The page's render context: the editor lays out and paints without a worker. */
function pageRenderContext(): RenderContext {
  shared ??= new RenderContext(fetchFace, imageReader(new Map(), readyLibrary), FONT_LISTS);
  return shared;
}

const NOTHING = { list: undefined, complete: false } as const;

let seen = EMPTY_LIBRARY;

/** The current library; the render context drops changed images before the next layout. */
function useContextLibrary(): ImageLibrary {
  const library = useSyncExternalStore(onLibrary, knownLibrary);
  if (library !== seen) {
    forgetChanged(pageRenderContext(), seen, library);
    seen = library;
  }
  return library;
}

/** The painting that a canvas shows. */
interface Painted {
  readonly element: HTMLCanvasElement;
  readonly list: DisplayList;
  readonly scale: number;
  /** The images it was painted with. */
  readonly library: ImageLibrary;
}

/**
 * A card laid out and painted on a canvas, again at every change. With everything loaded both are done
 * within the frame, and only what changed is painted; fonts and images that are missing show as soon as they are there. Nothing is laid out where the
 * user opened without pictures: this runs in the page itself, which a layout may hang.
 */
export function useRenderedCard(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  given: Layout,
  row: Row,
  columns: readonly Column[],
  pxPerMm: number,
): { list: DisplayList | undefined; error: Error | undefined } {
  const layout = useInOwnLanguage(given);
  const renderContext = pageRenderContext();
  const without = useWithout().pictures;
  const [error, setError] = useState<Error>();
  const library = useContextLibrary();
  // Number of loads: layouts and paintings that failed before may succeed after one.
  const [loads, setLoads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed library changes what the render context answers
  const { list, complete } = useMemo(() => {
    if (without) return NOTHING;
    const tried = renderContext.tryLayOut(layout, row, columns);
    // Before the first fonts are there all text would jump.
    return tried.complete || loads > 0 ? tried : NOTHING;
  }, [renderContext, layout, row, columns, loads, library, without]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed library changes what the render context answers
  useEffect(() => {
    if (complete || without) {
      setError(undefined);
      return;
    }
    let stale = false;
    renderContext.layOut(layout, row, columns).then(
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
  }, [renderContext, layout, row, columns, complete, library, without]);

  const painted = useRef<Painted>(undefined);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !list) return;
    let stale = false;
    const show = (): void => {
      const scale = pxPerMm * (window.devicePixelRatio || 1);
      const { width, height } = canvasSize(list, scale, true);
      const before = painted.current;
      const same =
        before?.element === element &&
        before.scale === scale &&
        before.library === library &&
        element.width === width &&
        element.height === height;
      const parts = same ? changedArea(before.list, list) : undefined;
      // A canvas that is given a size is blank: painted within the same task, nobody sees it.
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
      const ctx = element.getContext('2d');
      if (!parts) ctx?.clearRect(0, 0, width, height);
      painted.current = undefined;
      if (ctx) renderContext.paintNow(ctx, list, { scale, bleed: true, parts });
      painted.current = { element, list, scale, library };
    };
    if (renderContext.canPaint(list)) show();
    else
      renderContext.decode(list).then(
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
  }, [renderContext, canvas, list, pxPerMm, library]);

  return { list, error };
}
