/** Shows the element that the hash of an address names: the browser looked for it before it was there. */
export function scrollToHash(hash: string): void {
  const id = hash.slice(1);
  if (id !== '') document.getElementById(decoded(id))?.scrollIntoView();
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // Somebody's address may have a percent sign that encodes nothing.
    return id;
  }
}
