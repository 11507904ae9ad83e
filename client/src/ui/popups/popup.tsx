import { X } from 'lucide-react';
import {
  type CSSProperties,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { POPUP_CLOSE_MS, PopupEngine } from './engine.ts';
import css from './popup.module.css';
import { dialogLeaves, dialogShown } from './top-dialog.ts';

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

/** A dialog over the whole page. What is marked `data-autofocus` inside has the focus first, else the cross. */
export function Popup({ open, onClose, locked = false, title, width = 460, children }: PopupProps) {
  const [engine] = useState(() => new PopupEngine());
  const phase = useSyncExternalStore(engine.subscribe, engine.snapshot);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const attach = useCallback((element: HTMLDialogElement) => {
    dialog.current = element;
    return () => {
      dialog.current = null;
      dialogLeaves(element);
      // Only closing gives the focus back to what opened it; leaving the document does not.
      if (element.open) element.close();
    };
  }, []);

  useEffect(() => {
    if (open) engine.open();
    else engine.close();
  }, [open, engine]);

  useEffect(() => {
    if (phase !== 'closed' && dialog.current && !dialog.current.open) showOnTop(dialog.current);
  }, [phase]);

  if (phase === 'closed') return null;
  const dismiss = () => {
    if (engine.mayDismiss(locked)) onClose?.();
  };
  return (
    <dialog
      ref={attach}
      className={css.dialog}
      data-phase={phase}
      aria-labelledby={titleId}
      style={{ maxWidth: width, '--close-time': `${POPUP_CLOSE_MS}ms` } as CSSProperties}
      onClose={({ target, currentTarget }) => {
        // The browser did that by itself; whether the popup is open is for its owner to say.
        if (target !== currentTarget || currentTarget !== dialog.current || currentTarget.open) return;
        if (engine.snapshot() !== 'open') return;
        showOnTop(currentTarget);
        dismiss();
      }}
      onCancel={(event) => {
        // A file chooser inside that is left says so in the same way.
        if (event.target !== event.currentTarget) return;
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

function showOnTop(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  dialogShown(dialog);
}

/** The row of buttons at a popup's foot. */
export function PopupActions({ children }: { children: ReactNode }) {
  return <footer className={css.actions}>{children}</footer>;
}
