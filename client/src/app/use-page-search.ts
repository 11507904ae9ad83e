import { useCallback, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/**
 * Changes what the address says behind its `?`; what it says behind its `#` stays, which React Router would drop. What is
 * set counts at once: a busy browser takes its time to change the address, and what is begun meanwhile must be of
 * what was chosen.
 */
export function usePageSearch(): readonly [URLSearchParams, (name: string, value: string) => void] {
  const [shown] = useSearchParams();
  const { hash, key } = useLocation();
  const navigate = useNavigate();
  const [ahead, setAhead] = useState<{ readonly from: string; readonly search: URLSearchParams }>();
  const search = ahead?.from === key ? ahead.search : shown;
  const set = useCallback(
    (name: string, value: string) => {
      const next = new URLSearchParams(search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      setAhead({ from: key, search: next });
      void navigate({ search: `${next}`, hash }, { replace: true, preventScrollReset: true });
    },
    [search, hash, key, navigate],
  );
  return [search, set];
}
