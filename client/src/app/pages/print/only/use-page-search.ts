import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** Changes what the address says behind its `?`; what it says behind its `#` stays, which React Router would drop. */
export function usePageSearch(): readonly [URLSearchParams, (name: string, value: string) => void] {
  const [search] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const set = useCallback(
    (name: string, value: string) => {
      const next = new URLSearchParams(search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      void navigate({ search: `${next}`, hash }, { replace: true });
    },
    [search, hash, navigate],
  );
  return [search, set];
}
