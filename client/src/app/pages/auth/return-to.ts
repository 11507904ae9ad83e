/** Where to go after signing in: the page that asked for it, never another site. */
export function returnTo(search: URLSearchParams): string {
  const to = search.get('to') ?? '';
  // Two slashes, or a slash and a backslash, would be another host.
  return /^\/(?![/\\])/.test(to) ? to : '/decks';
}
