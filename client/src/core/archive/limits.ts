/** Largest archive that is read, in bytes. */
export const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Most files in an archive. */
export const MAX_FILES = 20_000;
/** Most bytes of all files together, unpacked. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;
/** A file that grows by more than this when it is unpacked is no work of ours. */
export const MAX_RATIO = 400;
/** Longest path in an archive, in characters: a folder, and a picture's path in its library. */
export const MAX_PATH_LENGTH = 420;
/** Most lists and objects within one another in an archive's JSON. The database takes 20. */
export const MAX_DEPTH = 100;
