/** Most bytes of a Word document, packed and once unpacked. */
export const MAX_DOCX_BYTES = 50 * 1024 * 1024;
