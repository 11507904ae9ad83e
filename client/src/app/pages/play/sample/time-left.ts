/** Interval at which the time that is left is worked out again, in milliseconds. */
export const TICK_MS = 5_000;

const MINUTE_MS = 60_000;

/** A time as a bar shows it and as it is read out: whole minutes, and that it is less than one. */
export function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes <= 1 ? 'under 1 min' : `${minutes} min`;
}
