/** Largest archive that is read, in bytes. */
export const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Most files in an archive. */
export const MAX_FILES = 20_000;
/** Most bytes of all files together, unpacked. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;
/** Largest ratio of unpacked to packed size; a file above it is refused as a ZIP bomb. */
export const MAX_RATIO = 400;
/** Longest path in an archive, in characters: a folder, and an image's path in its library. */
export const MAX_PATH_LENGTH = 420;
/** Deepest nesting of lists and objects in an archive's JSON. The database takes 20. */
export const MAX_DEPTH = 100;
