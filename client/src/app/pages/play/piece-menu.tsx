import { useEffect, useRef } from 'react';
import { KeyCap } from '../../../ui/commands/key-cap.tsx';
import { shownKeys } from '../../../ui/commands/keys.ts';
import menu from '../../../ui/menu.module.css';
import type { MenuEntry } from './menu-entries.ts';
import css from './play.module.css';

/** Space between the menu and the window's edge, in CSS pixels. */
const GAP_PX = 6;

const MOVES: Readonly<Record<string, (now: number, count: number) => number>> = {
  ArrowDown: (now, count) => (now + 1) % count,
  ArrowUp: (now, count) => (now - 1 + count) % count,
  Home: () => 0,
  End: (_now, count) => count - 1,
};

/** The menu of a selection, at a point of the window. Entries that cannot run now say why. */
export function PieceMenu({
  label,
  entries,
  at,
  onClose,
}: {
  label: string;
  entries: readonly MenuEntry[];
  at: { readonly x: number; readonly y: number };
  onClose: () => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const before = document.activeElement;
    element.showPopover();
    const { offsetWidth: width, offsetHeight: height } = element;
    element.style.left = `${Math.max(GAP_PX, Math.min(at.x, window.innerWidth - width - GAP_PX))}px`;
    element.style.top = `${Math.max(GAP_PX, Math.min(at.y, window.innerHeight - height - GAP_PX))}px`;
    itemsOf(element)[0]?.focus();
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current();
    };
    element.addEventListener('toggle', toggled);
    return () => {
      element.removeEventListener('toggle', toggled);
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [at]);
  return (
    <div
      ref={panel}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={`${menu.panel} ${css.menu}`}
      onKeyDown={(event) => {
        const move = MOVES[event.key];
        const items = itemsOf(event.currentTarget);
        if (move) {
          event.preventDefault();
          items[move(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
        } else if (event.key === 'Tab' || event.key === 'Escape') {
          event.preventDefault();
          onClose();
        }
        // Letters in the menu are no commands of the table.
        event.stopPropagation();
      }}
    >
      {entries.map(({ id, label: text, keys, refusal, danger, divided, run }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={menu.item}
          aria-disabled={refusal !== undefined}
          data-danger={danger || undefined}
          data-divided={divided || undefined}
          onClick={() => {
            if (refusal !== undefined) return;
            onClose();
            run();
          }}
        >
          <span className={css.entry}>
            <span>{text}</span>
            {refusal !== undefined && <small>{refusal}</small>}
          </span>
          {keys && <KeyCap keys={shownKeys(keys)} />}
        </button>
      ))}
    </div>
  );
}

const itemsOf = (element: HTMLElement): HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];
