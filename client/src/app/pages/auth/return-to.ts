/** Only to tell this site from others: paths are all that is taken from it. */
const HERE = 'https://here.invalid';

/**
 * The path, query and fragment of an address on this site, or `fallback` for any other. `origin` is the site's, where
 * whole addresses may be given too.
 */
export function pathHere(address: string | null, fallback: string, origin: string = HERE): string {
  let target: URL;
  try {
    target = new URL(address ?? '', origin);
  } catch {
    return fallback;
  }
  // A path that begins with two slashes is another host wherever it is used as an address again.
  if (!address || !target.href.startsWith(`${origin}/`) || target.pathname.startsWith('//')) return fallback;
  return target.pathname + target.search + target.hash;
}

/** Destination after signing in: the page that asked for it, never another site. */
export function returnTo(search: URLSearchParams): string {
  return pathHere(search.get('to'), '/decks');
}
