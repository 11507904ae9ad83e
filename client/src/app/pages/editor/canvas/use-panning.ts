import { useEffect, useRef, useState } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|BUTTON)$/.test(target.tagName));

/** Moves the view with the space bar held, or with the middle button. Answers whether a press is for panning. */
export function usePanning(area: React.RefObject<HTMLElement | null>): {
  readonly ready: boolean;
  begin(event: React.PointerEvent): boolean;
} {
  const [ready, setReady] = useState(false);
  const spaced = useRef(false);
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (event.key !== ' ' || isTyping(event.target)) return;
      // The page would scroll.
      event.preventDefault();
      spaced.current = true;
      setReady(true);
    };
    const release = (event: KeyboardEvent) => {
      if (event.key !== ' ') return;
      spaced.current = false;
      setReady(false);
    };
    window.addEventListener('keydown', hold);
    window.addEventListener('keyup', release);
    return () => {
      window.removeEventListener('keydown', hold);
      window.removeEventListener('keyup', release);
    };
  }, []);
  return {
    ready,
    begin(event) {
      const element = area.current;
      if (!element || !(event.button === 1 || (event.button === 0 && spaced.current))) return false;
      event.preventDefault();
      event.stopPropagation();
      element.setPointerCapture(event.pointerId);
      const move = (moved: PointerEvent) => {
        element.scrollLeft -= moved.movementX;
        element.scrollTop -= moved.movementY;
      };
      const end = () => {
        element.removeEventListener('pointermove', move);
        element.removeEventListener('pointerup', end);
        element.removeEventListener('pointercancel', end);
      };
      element.addEventListener('pointermove', move);
      element.addEventListener('pointerup', end);
      element.addEventListener('pointercancel', end);
      return true;
    },
  };
}
