/** An archive that cannot be read. The message names the fault, its place and the remedy. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
