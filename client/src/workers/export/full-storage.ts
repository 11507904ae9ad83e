/** Reason that a browser refused bytes: storage is full, or it stopped reading without a reason. */
export type Refusal = 'full' | 'stopped';

/**
 * Tells whether a failed step ran out of space. Chromium may report full storage only after it has closed the pipe that
 * the bytes come through; the pipe's `AbortError` is reported then. At the end of a file nothing comes through a pipe,
 * and an `AbortError` has other reasons.
 */
export function refusalOf(error: unknown, during: 'write' | 'close'): Refusal | undefined {
  if (!(error instanceof DOMException)) return undefined;
  if (error.name === 'QuotaExceededError') return 'full';
  return during === 'write' && error.name === 'AbortError' ? 'stopped' : undefined;
}

function size(bytes: number): string {
  const left = Math.max(0, bytes);
  return left < 1e6 ? `${Math.floor(left / 1e3)} kB` : `${Math.floor(left / 1e6)} MB`;
}

/**
 * Message for an export that could not be written, with the remedy. It does not state the site's quota: browsers do not
 * report it truthfully.
 * @param written bytes of the file that were accepted
 */
export function refusalWords(refusal: Refusal, kind: 'site' | 'disk', written: number): string {
  const taken = size(written);
  if (kind === 'disk') {
    const why =
      refusal === 'full'
        ? `There was no more room on the disk after ${taken}.`
        : `The disk took ${taken} of the file and then no more, most likely for want of room.`;
    return `${why} Make room, or choose another place.`;
  }
  const why =
    refusal === 'full'
      ? `The browser gives this site no more room: it took ${taken} of the file.`
      : `The browser took ${taken} of the file and then no more, most likely for want of room.`;
  return `${why} Save it to a file on the disk instead, make room there, or export fewer cards at a time; private windows are given little.`;
}
