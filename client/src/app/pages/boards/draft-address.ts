/** Addresses of a board that lies in this browser. */
export const draftAddress = (id: string): string => `/boards/draft/${encodeURIComponent(id)}`;
export const printAddress = (id: string): string => `/boards/print/${encodeURIComponent(id)}`;

/** Parameter of a draft's address that asks to save it to a project; sign-in leads back to it. */
export const SAVE_PARAMETER = 'save';

/** Parameter of a draft's address that names a generator to begin with. */
export const MAKE_PARAMETER = 'make';
