/** A day such as `2026-01-31` in the reader's own way of writing it, in full. */
export const day = (date: string): string =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString(undefined, { dateStyle: 'long' });

/** The day of a time in milliseconds, in the reader's own way of writing it, short enough for a line of a list. */
export const shortDay = (time: number): string =>
  new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** The day and the minute of a time in milliseconds, in the reader's own way of writing them. */
export const dayAndTime = (time: number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
