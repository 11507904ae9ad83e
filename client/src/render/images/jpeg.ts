/** The marks of a JPEG file. */

export const isJpeg = (view: DataView): boolean => view.byteLength >= 4 && view.getUint16(0) === 0xffd8;

/**
 * Place of the marker at `at`, behind bytes that fill up; undefined if there is none.
 * @throws RangeError where the file ends before it
 */
export function markerFrom(view: DataView, at: number): number | undefined {
  let place = at;
  while (view.getUint8(place) === 0xff) {
    if (view.getUint8(place + 1) !== 0xff) return place;
    place++;
  }
  return undefined;
}
