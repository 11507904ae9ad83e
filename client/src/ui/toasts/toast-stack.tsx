import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { observeTopDialog, topDialog } from '../popups/top-dialog.ts';
import { type Toast, type ToastType, toasts } from './engine.ts';
import css from './toast-stack.module.css';

const ICONS: Record<ToastType, typeof Info> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
};

function ToastCard({ toast }: { toast: Toast }) {
  const Icon = ICONS[toast.type];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the close button does the same from the keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: its role says that it is a message
    <div
      className={css.toast}
      data-type={toast.type}
      role={toast.type === 'error' ? 'alert' : 'status'}
      onClick={() => toasts.click(toast.id)}
      onMouseEnter={() => toasts.hover(toast.id, true)}
      onMouseLeave={() => toasts.hover(toast.id, false)}
    >
      <Icon size={18} className={css.icon} aria-hidden />
      <div className={css.body}>
        <p>{toast.message}</p>
        {toast.actions.length > 0 && (
          <div className={css.actions}>
            {toast.actions.map((action) => (
              <button
                key={action.buttonText}
                type="button"
                onClick={(event) => {
                  event.stopPropagation();
                  action.function();
                  toasts.close(toast.id);
                }}
              >
                {action.buttonText}
              </button>
            ))}
          </div>
        )}
      </div>
      <button
        type="button"
        className={css.close}
        aria-label="Close message"
        onClick={() => toasts.close(toast.id)}
      >
        <X size={15} aria-hidden />
      </button>
      {toast.progressBar && toast.autoCloseTime > 0 && (
        <span
          className={css.progress}
          style={{ transform: `scaleX(${1 - toast.elapsedTime / toast.autoCloseTime})` }}
        />
      )}
    </div>
  );
}

/** The element toasts are in: of the top layer, so that it is above the dialog it may be in. */
function createStack(): HTMLElement {
  const stack = document.createElement('section');
  stack.className = css.stack ?? '';
  stack.setAttribute('aria-label', 'Messages');
  stack.setAttribute('popover', 'manual');
  return stack;
}

/** The page's toasts, bottom left, above popups too. */
export function ToastStack() {
  const list = useSyncExternalStore(toasts.subscribe, toasts.snapshot);
  const [stack] = useState(createStack);
  useLayoutEffect(() => {
    // While a modal dialog is open, only what belongs to it can be clicked and is read out.
    const place = () => {
      (topDialog() ?? document.body).append(stack);
      stack.showPopover();
    };
    place();
    const stop = observeTopDialog(place);
    return () => {
      stop();
      stack.remove();
    };
  }, [stack]);
  return createPortal(
    list.map((toast) => <ToastCard key={toast.id} toast={toast} />),
    stack,
  );
}
