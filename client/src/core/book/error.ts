/** A rulebook that cannot be read or set. The message names the fault, its place and the remedy. */
export class RulebookError extends Error {
  override readonly name = 'RulebookError';
}
