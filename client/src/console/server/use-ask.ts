import { useCallback, useEffect, useRef, useState } from 'react';

/** Something asked of the server. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  /** Asks again; what is shown stays until the answer is there. */
  readonly refresh: () => void;
}

/**
 * Asks when `key` changes, on demand, when the window is looked at again, and every `every` milliseconds while it
 * is looked at.
 */
export function useAsk<T>(key: string | null, load: () => Promise<T>, every?: number): Asked<T> {
  const [state, setState] = useState<{ key: string | null; data?: T; error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const refresh = useCallback(() => setRound((n) => n + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again
  useEffect(() => {
    if (key === null) return;
    let over = false;
    latest.current().then(
      (data) => {
        if (!over) setState({ key, data });
      },
      (error: unknown) => {
        if (!over) setState((old) => ({ ...(old.key === key && old), key, error }));
      },
    );
    return () => {
      over = true;
    };
  }, [key, round]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    document.addEventListener('visibilitychange', look);
    const timer = every === undefined ? undefined : setInterval(look, every);
    return () => {
      document.removeEventListener('visibilitychange', look);
      clearInterval(timer);
    };
  }, [every, refresh]);
  const own = state.key === key ? state : undefined;
  return { data: own?.data, error: own?.error, refresh };
}
