import { useEffect, useState } from 'react';

/** Distance from the viewport within which an element counts as near, in CSS pixels. */
const NEAR_PX = 400;

/**
 * True if an element is in or near the viewport: others need not be painted. Undefined until the browser has reported.
 */
export function useNear(element: React.RefObject<Element | null>): boolean | undefined {
  const [near, setNear] = useState<boolean>();
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: `${NEAR_PX}px`,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return near;
}
