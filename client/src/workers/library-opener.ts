/**
 * How the image library is brought when something is painted for the first time. Apart from the library
 * itself, so that the first page can say how without loading any of it.
 */

let open: () => Promise<void> = async () => {};

/** Says how the library is brought. */
export function openLibraryWith(opener: () => Promise<void>): void {
  open = opener;
}

export const openLibrary = (): Promise<void> => open();
