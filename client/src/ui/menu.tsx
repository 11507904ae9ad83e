import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import css from './menu.module.css';

/** Space between a menu and what opens it, and the window's edge, in CSS pixels. */
const GAP_PX = 6;

/** One line of a menu. Exactly one of `to`, `href` and `onSelect` says what it does. */
export interface MenuItem {
  /** Tells it from others; needed where labels may be alike. */
  readonly id?: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly to?: string;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** A line above it. */
  readonly divided?: boolean;
}

/** Keys that walk a menu: index now and number of items to the index wanted, which may run over. */
const MOVES: Readonly<Record<string, (current: number, count: number) => number>> = {
  ArrowDown: (current) => current + 1,
  ArrowUp: (current) => (current < 0 ? -1 : current - 1),
  Home: () => 0,
  End: () => -1,
};

function focusItem(panel: HTMLElement | null, pick: (current: number, count: number) => number): void {
  const items = [
    ...(panel?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])') ?? []),
  ];
  const current = items.indexOf(document.activeElement as HTMLElement);
  items[(pick(current, items.length) + items.length) % Math.max(1, items.length)]?.focus();
}

function Line({ item, close }: { item: MenuItem; close: () => void }) {
  const content = (
    <>
      {item.icon && (
        <span className={css.icon} aria-hidden>
          {item.icon}
        </span>
      )}
      <span className={css.text}>{item.label}</span>
    </>
  );
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    className: css.item ?? '',
    'data-danger': item.danger || undefined,
    'data-divided': item.divided || undefined,
  } as const;
  if (item.disabled) {
    return (
      <span {...shared} aria-disabled="true">
        {content}
      </span>
    );
  }
  if (item.to !== undefined) {
    return (
      <Link {...shared} to={item.to} onClick={close}>
        {content}
      </Link>
    );
  }
  if (item.href !== undefined) {
    return (
      <a {...shared} href={item.href} target="_blank" rel="noreferrer" onClick={close}>
        {content}
      </a>
    );
  }
  return (
    <button
      {...shared}
      type="button"
      onClick={() => {
        close();
        item.onSelect?.();
      }}
    >
      {content}
    </button>
  );
}

/** A button that opens a list of things to do. Arrow keys walk it, Escape closes it. */
export function Menu({
  label,
  items,
  className,
  width = 210,
  children,
}: {
  /** Name of the button for screen readers, where its content does not say it. */
  label?: string;
  items: readonly MenuItem[];
  className?: string | undefined;
  /** In CSS pixels. */
  width?: number;
  children: ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const element = panel.current;
    const button = trigger.current;
    if (!element || !button) return;
    const place = () => {
      const box = button.getBoundingClientRect();
      const left = Math.max(GAP_PX, Math.min(box.right - width, window.innerWidth - width - GAP_PX));
      const height = element.offsetHeight;
      const below = box.bottom + GAP_PX;
      const above = box.top - GAP_PX - height;
      const lowest = window.innerHeight - height - GAP_PX;
      element.style.left = `${left}px`;
      element.style.top = `${below <= lowest ? below : above > 0 ? above : Math.max(GAP_PX, lowest)}px`;
    };
    const toggled = (event: Event) => {
      const opened = (event as ToggleEvent).newState === 'open';
      setOpen(opened);
      if (!opened) return;
      place();
      focusItem(element, () => 0);
    };
    element.addEventListener('toggle', toggled);
    return () => element.removeEventListener('toggle', toggled);
  }, [width]);

  const close = () => panel.current?.hidePopover();
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        {...(label && { 'aria-label': label })}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          panel.current?.showPopover();
        }}
      >
        {children}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={css.panel}
        style={{ width }}
        onKeyDown={(event) => {
          const move = MOVES[event.key];
          if (move) {
            event.preventDefault();
            focusItem(panel.current, move);
          } else if (event.key === 'Tab') {
            close();
          }
        }}
      >
        {items.map((item) => (
          <Line key={item.id ?? item.label} item={item} close={close} />
        ))}
      </div>
    </>
  );
}
