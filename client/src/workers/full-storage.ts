/** Whether the browser or the disk has no room for more. */
export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

function size(bytes: number): string {
  const left = Math.max(0, bytes);
  return left < 1e6 ? `${Math.floor(left / 1e3)} kB` : `${Math.floor(left / 1e6)} MB`;
}

/**
 * Why an export found no room, and what to do.
 * @param written bytes of it before there was no room
 * @param estimate what the browser gives this site; unknown where it does not say
 */
export function fullWords(
  kind: 'site' | 'disk',
  written: number,
  { quota, usage }: { readonly quota?: number; readonly usage?: number },
): string {
  if (kind === 'disk') {
    return `There was no more room on the disk after ${size(written)}. Make room, or choose another place.`;
  }
  const given =
    quota === undefined
      ? 'what the browser gives this site'
      : `the ${size(quota)} that the browser gives this site, of which ${size(quota - (usage ?? 0))} were free`;
  return `The file is larger than ${given}. Save it to a file on the disk instead, make room there, or export fewer cards at a time; private windows are given little.`;
}
