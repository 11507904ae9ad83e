import { useEffect, useRef } from 'react';
import { KeyCap } from '../commands/key-cap.tsx';
import { shownKeys } from '../commands/keys.ts';
import css from './menu.module.css';
import { focusLine, GAP_PX, menuMove, toFirst } from './menu-keys.ts';

/** One line of a menu at a point. */
export interface ContextMenuItem {
  /** Tells it from others; needed where labels may be alike. */
  readonly id?: string;
  readonly label: string;
  /** Keys that do the same. */
  readonly keys?: string;
  /** Reason for which it cannot be done now; it is shown below the label. */
  readonly refusal?: string | undefined;
  readonly danger?: boolean;
  /** A line above it. */
  readonly divided?: boolean;
  readonly onSelect: () => void;
}

/** Lines that cannot be chosen are walked too: their reasons are read. */
const ANY = '[role="menuitem"]';

/**
 * A menu of what lies at a point of the window. Arrow keys walk it; Tab, Escape and a press beside it close it. It does not
 * close when the press that opened it ends, which browsers do to popovers of their own kind: on some systems a right
 * button opens menus while it is held, and so does a finger.
 */
export function ContextMenu({
  label,
  items,
  at,
  minWidth,
  onClose,
}: {
  /** Name for screen readers: the things that it is of. */
  label: string;
  items: readonly ContextMenuItem[];
  at: { readonly x: number; readonly y: number };
  /** In CSS pixels. */
  minWidth: number;
  onClose: () => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const before = document.activeElement;
    if (!element.matches(':popover-open')) element.showPopover();
    const { offsetWidth: width, offsetHeight: height } = element;
    element.style.left = `${Math.max(GAP_PX, Math.min(at.x, window.innerWidth - width - GAP_PX))}px`;
    element.style.top = `${Math.max(GAP_PX, Math.min(at.y, window.innerHeight - height - GAP_PX))}px`;
    focusLine(element, toFirst, ANY);
    const pressed = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && element.contains(target))) close.current();
    };
    document.addEventListener('pointerdown', pressed, true);
    return () => {
      document.removeEventListener('pointerdown', pressed, true);
      // The chosen line may have put the focus elsewhere.
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [at]);
  return (
    <div
      ref={panel}
      popover="manual"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={css.panel}
      style={{ minWidth }}
      onMouseDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        const move = menuMove(event.key);
        if (move) {
          event.preventDefault();
          focusLine(event.currentTarget, move, ANY);
        } else if (event.key === 'Tab' || event.key === 'Escape') {
          event.preventDefault();
          onClose();
        }
        // Keys in the menu are no commands of the screen below it.
        event.stopPropagation();
      }}
    >
      {items.map(({ id, label: text, keys, refusal, danger, divided, onSelect }) => (
        <button
          key={id ?? text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={css.item}
          aria-disabled={refusal !== undefined}
          data-danger={danger || undefined}
          data-divided={divided || undefined}
          onClick={() => {
            if (refusal !== undefined) return;
            onClose();
            onSelect();
          }}
        >
          <span className={css.told}>
            <span className={css.text}>{text}</span>
            {refusal !== undefined && <small>{refusal}</small>}
          </span>
          {keys && <KeyCap keys={shownKeys(keys)} />}
        </button>
      ))}
    </div>
  );
}
