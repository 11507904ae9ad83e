/** An archive cannot be read. The message names what is wrong, where, and what to do about it. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
