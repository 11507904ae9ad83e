import { useEffect, useRef } from 'react';
import css from './row-menu.module.css';

export interface RowMenuItem {
  readonly label: string;
  readonly danger?: boolean;
  readonly divided?: boolean;
  readonly onSelect: () => void;
}

/** Menu of the rows under the pointer. Arrow keys move through it, Escape closes it. */
export function RowMenu({
  at,
  cards,
  items,
  onClose,
}: {
  at: { readonly x: number; readonly y: number };
  cards: number;
  items: readonly RowMenuItem[];
  onClose: () => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    element.showPopover();
    const { offsetWidth, offsetHeight } = element;
    element.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - offsetWidth - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(at.y, window.innerHeight - offsetHeight - 4))}px`;
    element.querySelector('button')?.focus();
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current();
    };
    element.addEventListener('toggle', toggled);
    return () => element.removeEventListener('toggle', toggled);
  }, [at]);
  const walk = (by: number) => {
    const all = [...(panel.current?.querySelectorAll('button') ?? [])];
    const now = all.indexOf(document.activeElement as HTMLButtonElement);
    all[(now + by + all.length) % all.length]?.focus();
  };
  return (
    <div
      ref={panel}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={cards === 1 ? 'Card' : `${cards} cards`}
      className={css.panel}
      onMouseDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          event.preventDefault();
          walk(event.key === 'ArrowDown' ? 1 : -1);
        } else if (event.key === 'Tab' || event.key === 'Escape') {
          panel.current?.hidePopover();
        }
      }}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          className={css.item}
          data-danger={item.danger || undefined}
          data-divided={item.divided || undefined}
          onClick={() => {
            item.onSelect();
            panel.current?.hidePopover();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}
