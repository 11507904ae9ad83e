import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { PopupEngine } from './engine.ts';
import css from './popup.module.css';

interface PopupProps {
  open: boolean;
  /** The user wants to leave: set `open` to false. Never called while `locked`. */
  onClose?: () => void;
  /** Neither Escape nor a click beside it closes it. */
  locked?: boolean;
  title: string;
  /** Width in pixels, 460 by default. */
  width?: number;
  children: ReactNode;
}

/** A dialog over the whole page. */
export function Popup({ open, onClose, locked = false, title, width = 460, children }: PopupProps) {
  const [engine] = useState(() => new PopupEngine());
  const phase = useSyncExternalStore(engine.subscribe, engine.snapshot);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (open) engine.open();
    else engine.close();
  }, [open, engine]);

  useEffect(() => {
    if (phase !== 'closed' && !dialog.current?.open) dialog.current?.showModal();
  }, [phase]);

  if (phase === 'closed') return null;
  const dismiss = () => {
    if (engine.mayDismiss(locked)) onClose?.();
  };
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      data-phase={phase}
      aria-labelledby={titleId}
      style={{ maxWidth: width }}
      onCancel={(event) => {
        // Escape while nothing inside has the focus.
        event.preventDefault();
        dismiss();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The browser would close it itself on a second Escape.
        event.preventDefault();
        event.stopPropagation();
        dismiss();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) dismiss();
      }}
    >
      <div className={css.content}>
        <header className={css.header}>
          <h2 id={titleId}>{title}</h2>
          {!locked && (
            <button type="button" className={css.close} aria-label="Close" onClick={dismiss}>
              <X size={18} aria-hidden />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The row of buttons at a popup's foot. */
export function PopupActions({ children }: { children: ReactNode }) {
  return <footer className={css.actions}>{children}</footer>;
}
