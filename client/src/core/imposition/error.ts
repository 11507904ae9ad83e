/** Cards that cannot be put on sheets; the message is for the designer. */
export class ImpositionError extends Error {
  override readonly name = 'ImpositionError';
}
