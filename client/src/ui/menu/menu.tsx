import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { KeyCap } from '../commands/key-cap.tsx';
import { shownKeys } from '../commands/keys.ts';
import css from './menu.module.css';
import { focusLine, GAP_PX, menuMove, toFirst } from './menu-keys.ts';

/** One line of a menu. Exactly one of `to`, `href` and `onSelect` says what it does. */
export interface MenuItem {
  /** Tells it from others; needed where labels may be alike. */
  readonly id?: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Keys that do the same. */
  readonly keys?: string;
  readonly to?: string;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** A line above it. */
  readonly divided?: boolean;
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
      {item.keys && (
        <span className={css.keys} aria-hidden>
          <KeyCap keys={shownKeys(item.keys)} />
        </span>
      )}
    </>
  );
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    className: css.item ?? '',
    'aria-keyshortcuts': item.keys,
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
  className = css.more,
  width = 210,
  children,
}: {
  /** Name of the button for screen readers, where its content does not say it. */
  label?: string;
  items: readonly MenuItem[];
  /** A square button for an icon when missing. */
  className?: string | undefined;
  /** In CSS pixels. */
  width?: number;
  children: ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const settle = useRef(() => {});

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
    settle.current = () => {
      place();
      element.style.visibility = '';
      focusLine(element, toFirst);
    };
    // Browsers tell of it a moment after they have opened it: until it is in its place, nobody sees or clicks it.
    const toggles = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open') element.style.visibility = 'hidden';
    };
    const toggled = (event: Event) => {
      const opened = (event as ToggleEvent).newState === 'open';
      setOpen(opened);
      // A key may have come before the browser's word.
      if (opened && !element.contains(document.activeElement)) settle.current();
    };
    // A window that changes its size takes the button along.
    const follow = () => {
      if (element.matches(':popover-open')) place();
    };
    window.addEventListener('resize', follow);
    element.addEventListener('beforetoggle', toggles);
    element.addEventListener('toggle', toggled);
    return () => {
      window.removeEventListener('resize', follow);
      element.removeEventListener('beforetoggle', toggles);
      element.removeEventListener('toggle', toggled);
    };
  }, [width]);

  const close = () => panel.current?.hidePopover();
  /** Keys that come after the menu was opened and before it has the focus are the menu's. */
  const pressed = (event: KeyboardEvent<HTMLButtonElement>) => {
    const move = menuMove(event.key);
    const chooses = event.key === 'Enter' || event.key === ' ';
    if (!panel.current?.matches(':popover-open')) {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      panel.current?.showPopover();
    } else if (move || chooses) {
      event.preventDefault();
      settle.current();
      if (move) focusLine(panel.current, move);
      else (document.activeElement as HTMLElement | null)?.click();
    }
  };
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
        onKeyDown={pressed}
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
          const move = menuMove(event.key);
          if (move) {
            event.preventDefault();
            focusLine(panel.current, move);
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
