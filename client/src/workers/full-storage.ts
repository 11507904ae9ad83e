/** Whether the browser or the disk has no room for more. */
export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

function size(bytes: number): string {
  const left = Math.max(0, bytes);
  return left < 1e6 ? `${Math.floor(left / 1e3)} kB` : `${Math.floor(left / 1e6)} MB`;
}

/**
 * Why an export found no room, and what to do. How much a site is given is not told: browsers do not say it truly.
 * @param written bytes of the file that there was room for
 */
export function fullWords(kind: 'site' | 'disk', written: number): string {
  if (kind === 'disk') {
    return `There was no more room on the disk after ${size(written)}. Make room, or choose another place.`;
  }
  return `The browser gives this site no more room: it took ${size(written)} of the file. Save it to a file on the disk instead, make room there, or export fewer cards at a time; private windows are given little.`;
}
