/** Writes a resolution into a JPEG, so that print programs know its size on paper. */

/** @returns the same bytes where they have no JFIF header, which holds the resolution */
export function jpegWithResolution(bytes: Uint8Array, dpi: number): Uint8Array {
  // A JFIF header comes first: FF D8 FF E0, length, "JFIF\0", version, unit, densities.
  const isJfif = bytes[2] === 0xff && bytes[3] === 0xe0 && bytes[6] === 0x4a && bytes[9] === 0x46;
  if (bytes.length < 20 || !isJfif) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint8(13, 1);
  view.setUint16(14, Math.round(dpi));
  view.setUint16(16, Math.round(dpi));
  return bytes;
}
