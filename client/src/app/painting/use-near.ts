import { useEffect, useState } from 'react';

/** How far outside what is seen something counts as near, in CSS pixels. */
const NEAR_PX = 400;

/**
 * Whether an element is in view, or nearly: what is far away need not be painted. Undefined until the
 * browser has looked.
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
