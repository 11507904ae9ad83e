/**
 * Loader of the image library for the first painting. Apart from the library itself, so that the first page can
 * register a loader without loading the library.
 */

let open: () => Promise<void> = async () => {};

/** Registers the loader of the library. */
export function openLibraryWith(opener: () => Promise<void>): void {
  open = opener;
}

export const openLibrary = (): Promise<void> => open();
