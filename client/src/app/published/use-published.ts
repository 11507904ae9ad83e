import { useEffect, useState } from 'react';
import { describeError } from '../../data/server/messages.ts';

/** A thing that somebody published at a link, on its way to whoever has the link. */
export type Found<T> =
  | { readonly at: 'loading' | 'nothing' }
  | { readonly at: 'failed'; readonly why: string }
  | { readonly at: 'here'; readonly thing: T };

/**
 * Reads what is published at a link, once.
 * @param read answers `undefined` where nothing is published; the same function at each call
 */
export function usePublished<T>(
  link: string,
  read: (link: string, signal: AbortSignal) => Promise<T | undefined>,
): Found<T> {
  const [found, setFound] = useState<Found<T>>({ at: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    read(link, abort.signal)
      .then((thing): Found<T> => (thing === undefined ? { at: 'nothing' } : { at: 'here', thing }))
      .catch((error: unknown): Found<T> => ({ at: 'failed', why: describeError(error) }))
      .then((next) => {
        if (!abort.signal.aborted) setFound(next);
      });
    return () => abort.abort();
  }, [link, read]);
  return found;
}
