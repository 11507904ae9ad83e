import * as z from 'zod';

/** The export running in this tab, stored so that the page can report its end after a reload. */
const KEY = 'tuckbox-export-under-way';

const underWaySchema = z.object({
  /** Name of the file. */
  name: z.string(),
  /** A download, a file on the disk, or pictures stored on this host. */
  kind: z.enum(['site', 'disk', 'host']),
  /** Of pictures on this host: the folder that holds what is stored so far. */
  folder: z.string().optional(),
});
export type UnderWay = z.infer<typeof underWaySchema>;

export function noteUnderWay(work: UnderWay): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(work));
  } catch (error) {
    // Without storage a reload is silent; the export itself needs none.
    console.warn('What is exported could not be noted.', error);
  }
}

export function forgetUnderWay(): void {
  sessionStorage.removeItem(KEY);
}

/** The export that a reload interrupted; returned once. */
export function takeInterrupted(): UnderWay | undefined {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return undefined;
  forgetUnderWay();
  try {
    return underWaySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
