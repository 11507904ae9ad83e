/** A text or a file that cannot be taken as a translation. The message names the fault and the remedy. */
export class TranslationError extends Error {
  override readonly name = 'TranslationError';
}
