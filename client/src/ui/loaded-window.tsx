import { type ComponentType, useEffect, useReducer, useRef } from 'react';
import css from './loaded-window.module.css';
import { toasts } from './toasts/engine.ts';

/** A failure is read, not only seen. */
const FAILURE_MS = 15_000;
const FAILED =
  'That could not be loaded. Load the page again once you are connected; what was saved is safe.';

type Load<P> = () => Promise<ComponentType<P>>;

/** Windows that are loaded, by what loads them. */
const LOADED = new WeakMap<() => Promise<unknown>, unknown>();

/**
 * A window whose code comes when it is opened. Where it does not come, that is said and the window closes: what lies under
 * it stays. Browsers do not ask again for code that did not come, so the page can be loaded anew. Escape calls the window
 * off.
 * @param load a function of a module: the code is kept by it
 */
export function LoadedWindow<P extends { readonly onClose: () => void }>({
  load,
  props,
}: {
  load: Load<P>;
  props: P;
}) {
  const Window = LOADED.get(load) as ComponentType<P> | undefined;
  const [, came] = useReducer((count: number) => count + 1, 0);
  const close = useRef(props.onClose);
  close.current = props.onClose;
  useEffect(() => {
    if (LOADED.has(load)) return;
    let gone = false;
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !LOADED.has(load)) close.current();
    };
    document.addEventListener('keydown', pressed);
    load()
      .then((loaded) => {
        LOADED.set(load, loaded);
        if (!gone) came();
      })
      .catch((error) => {
        console.warn('a window could not be loaded', error);
        if (gone) return;
        toasts.show(FAILED, {
          type: 'warning',
          autoCloseTime: FAILURE_MS,
          closeOnClick: false,
          actions: [{ buttonText: 'Load the page again', function: () => location.reload() }],
        });
        close.current();
      });
    return () => {
      gone = true;
      document.removeEventListener('keydown', pressed);
    };
  }, [load]);
  if (Window) return <Window {...props} />;
  return (
    <span className={css.loading} role="status">
      Loading…
    </span>
  );
}
