/** A map of Tiled that cannot be brought in; the message says what to do. */
export class TiledError extends Error {
  override readonly name = 'TiledError';
}
