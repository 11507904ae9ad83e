import { CircleHelp } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import css from './help.module.css';
import { useReading } from './use-reading.ts';

/** Width of the help popup, in CSS pixels. */
export const HELP_POPUP_WIDTH_PX = 400;

const HelpList = lazy(() => import('./help-list.tsx'));

/** The button at the bottom right of every page. */
export function HelpButton() {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const reading = useReading();
  useEffect(() => {
    const element = panel.current;
    const toggled = (event: Event) => setOpen((event as ToggleEvent).newState === 'open');
    element?.addEventListener('toggle', toggled);
    return () => element?.removeEventListener('toggle', toggled);
  }, []);
  useEffect(() => {
    if (!open) return;
    // Before anybody else: pages have a use for Escape of their own.
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      panel.current?.hidePopover();
    };
    document.addEventListener('keydown', pressed, true);
    return () => document.removeEventListener('keydown', pressed, true);
  }, [open]);
  return (
    <>
      <button
        type="button"
        className={css.button}
        aria-label="Help"
        aria-expanded={open}
        aria-controls={id}
        data-reading={reading || undefined}
        popoverTarget={id}
      >
        <CircleHelp size={24} aria-hidden />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Help"
        className={css.panel}
        style={{ width: HELP_POPUP_WIDTH_PX }}
      >
        {open && (
          <Suspense fallback={null}>
            <HelpList onDone={() => panel.current?.hidePopover()} />
          </Suspense>
        )}
      </div>
    </>
  );
}
