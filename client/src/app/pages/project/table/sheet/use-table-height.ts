import { useEffect, useState } from 'react';

/** Room for what stands above and below the table, in CSS pixels. */
const AROUND_PX = 250;
const MIN_HEIGHT_PX = 320;

/** As tall as the window leaves room for. */
export function useTableHeight(): number {
  const measure = () => Math.max(MIN_HEIGHT_PX, window.innerHeight - AROUND_PX);
  const [height, setHeight] = useState(measure);
  useEffect(() => {
    const onResize = () => setHeight(measure());
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  });
  return height;
}
