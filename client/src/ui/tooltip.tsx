import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import css from './tooltip.module.css';

/** Delay before a tooltip shows, in milliseconds. */
export const TOOLTIP_DELAY_MS = 200;
const GAP_PX = 7;

/** A few words about what is inside, shown when the pointer rests on it or the keyboard reaches it. */
export function Tooltip({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tip = useRef<HTMLSpanElement>(null);
  const [anchor, setAnchor] = useState<DOMRect>();

  const show = (target: Element) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(target.getBoundingClientRect()), TOOLTIP_DELAY_MS);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const element = tip.current;
    if (!element || !anchor) return;
    element.showPopover();
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = anchor.left + anchor.width / 2 - width / 2;
    const below = anchor.bottom + GAP_PX;
    element.style.left = `${Math.max(6, Math.min(left, window.innerWidth - width - 6))}px`;
    element.style.top = `${below + height > window.innerHeight ? anchor.top - GAP_PX - height : below}px`;
  }, [anchor]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens to its child
    <span
      className={css.anchor}
      onMouseEnter={(event) =>
        event.currentTarget.firstElementChild && show(event.currentTarget.firstElementChild)
      }
      onMouseLeave={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(event.target)}
      onBlur={hide}
      onPointerDown={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {anchor && (
        <span ref={tip} id={id} role="tooltip" popover="manual" className={css.tip}>
          {label}
        </span>
      )}
    </span>
  );
}
