import { useEffect, useState } from 'react';

/** Less than this is no change of direction, in CSS pixels. */
const SLACK_PX = 8;

/** True while the page is scrolled down, until it is scrolled up or its end is reached. */
export function useReading(): boolean {
  const [reading, setReading] = useState(false);
  useEffect(() => {
    let before = window.scrollY;
    const scrolled = () => {
      const { scrollY, innerHeight } = window;
      const left = document.documentElement.scrollHeight - innerHeight - scrollY;
      if (Math.abs(scrollY - before) < SLACK_PX && left > SLACK_PX) return;
      setReading(scrollY > before && left > SLACK_PX);
      before = scrollY;
    };
    window.addEventListener('scroll', scrolled, { passive: true });
    return () => window.removeEventListener('scroll', scrolled);
  }, []);
  return reading;
}
