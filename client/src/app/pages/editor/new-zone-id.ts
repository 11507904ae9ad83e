const ID_BYTES = 8;

/** An id no other zone has. */
export function newZoneId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) =>
    byte.toString(36).padStart(2, '0'),
  ).join('');
}
