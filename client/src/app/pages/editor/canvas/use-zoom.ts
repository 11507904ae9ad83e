import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { screenPxPerMm } from './screen-scale.ts';

const MIN_ZOOM = 0.1;
const MAX_ZOOM = 16;
/** Space around the card, in CSS pixels. */
const PADDING_PX = 40;

/** CSS pixels per millimetre at which the whole card with its bleed fits. */
function useFit(area: React.RefObject<HTMLElement | null>, width: number, height: number): number {
  const [fit, setFit] = useState(4);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => {
      const byWidth = (element.clientWidth - PADDING_PX * 2) / width;
      const byHeight = (element.clientHeight - PADDING_PX * 2) / height;
      setFit(Math.max(0.5, Math.min(byWidth, byHeight)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [area, width, height]);
  return fit;
}

export interface Zoom {
  /** CSS pixels per millimetre. */
  readonly scale: number;
  /** 1 fits the card. */
  readonly zoom: number;
  /** @param at a point of the window that stays where it is; the middle when left out */
  zoomBy(factor: number, at?: { x: number; y: number }): void;
  fit(): void;
  realSize(): void;
}

/**
 * Zoom of the card. Zooming keeps the point under the cursor where it is.
 *
 * @param area the element that scrolls
 * @param sheet the card in it
 */
export function useZoom(
  area: React.RefObject<HTMLElement | null>,
  sheet: React.RefObject<HTMLElement | null>,
  width: number,
  height: number,
): Zoom {
  const fitScale = useFit(area, width, height);
  const [zoom, setZoom] = useState(1);
  const scale = fitScale * zoom;
  const anchor = useRef<{ x: number; y: number; shareX: number; shareY: number } | undefined>(undefined);

  const zoomBy = useCallback(
    (factor: number, at?: { x: number; y: number }) => {
      const box = sheet.current?.getBoundingClientRect();
      const view = area.current?.getBoundingClientRect();
      if (box && view && box.width > 0 && box.height > 0) {
        const point = at ?? { x: view.left + view.width / 2, y: view.top + view.height / 2 };
        const shareX = (point.x - box.left) / box.width;
        const shareY = (point.y - box.top) / box.height;
        anchor.current = { ...point, shareX, shareY };
      }
      setZoom((old) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, old * factor)));
    },
    [area, sheet],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the scale has been shown
  useLayoutEffect(() => {
    const held = anchor.current;
    const box = sheet.current?.getBoundingClientRect();
    anchor.current = undefined;
    if (!held || !box || !area.current) return;
    area.current.scrollLeft += box.left + held.shareX * box.width - held.x;
    area.current.scrollTop += box.top + held.shareY * box.height - held.y;
  }, [scale, area, sheet]);

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY / 400), { x: event.clientX, y: event.clientY });
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [area, zoomBy]);

  const fit = useCallback(() => setZoom(1), []);
  const realSize = useCallback(() => setZoom(screenPxPerMm() / fitScale), [fitScale]);
  return { scale, zoom, zoomBy, fit, realSize };
}
