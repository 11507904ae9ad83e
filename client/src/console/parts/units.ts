/** A point in time as people say it today: the time alone, else with its day. */
export function when(time: string | number | undefined, now: Date = new Date()): string {
  if (time === undefined) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const clock = date.toLocaleTimeString(undefined, { hour12: false });
  return date.toDateString() === now.toDateString()
    ? clock
    : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' })}, ${clock}`;
}

/** A length of time in microseconds, in the unit that suits it. */
export function duration(micros: number): string {
  if (micros < 1_000) return `${micros} µs`;
  if (micros < 100_000) return `${(micros / 1_000).toFixed(1)} ms`;
  if (micros < 1_000_000) return `${Math.round(micros / 1_000)} ms`;
  if (micros < 60_000_000) return `${(micros / 1_000_000).toFixed(1)} s`;
  return `${Math.floor(micros / 60_000_000)} min ${Math.round((micros % 60_000_000) / 1_000_000)} s`;
}

/** A number of bytes, in the unit that suits it. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  if (count < 1_000_000) return `${(count / 1_000).toFixed(1)} kB`;
  if (count < 1_000_000_000) return `${(count / 1_000_000).toFixed(1)} MB`;
  return `${(count / 1_000_000_000).toFixed(2)} GB`;
}
