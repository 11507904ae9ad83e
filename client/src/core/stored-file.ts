/** Addresses of the files that people store on the server. Documents name them, and people write documents. */

const STORED_FILES = '/v0/b/';

/** True for the address, or the path, of a stored file of the server at `origin`. Nothing else may be fetched. */
export function isStoredFile(address: string, origin: string): boolean {
  if (!URL.canParse(address, origin)) return false;
  const url = new URL(address, origin);
  return url.origin === new URL(origin).origin && url.pathname.startsWith(STORED_FILES);
}

/** Stands for the page's server where there is no page: programs compare the true one before they fetch. */
const NO_PAGE = 'http://localhost';

/** The same for the page's server; without a page, for the path alone. */
export function isStoredHere(address: string): boolean {
  const here = globalThis.location?.origin;
  if (here !== undefined) return isStoredFile(address, here);
  return URL.canParse(address, NO_PAGE) && isStoredFile(address, new URL(address, NO_PAGE).origin);
}
