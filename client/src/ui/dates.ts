/** A day in the reader's own way of writing it. */
export const day = (date: string): string =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString(undefined, { dateStyle: 'long' });
