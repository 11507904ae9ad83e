import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
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

/** The page's toasts, bottom left. */
export function ToastStack() {
  const list = useSyncExternalStore(toasts.subscribe, toasts.snapshot);
  return (
    <section className={css.stack} aria-label="Messages">
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}
