import * as z from 'zod';

/**
 * What this tab is exporting, kept where the page finds it after a reload: so that it can say what became of it.
 */
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

/** What the page was exporting when it was reloaded; told once. */
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
