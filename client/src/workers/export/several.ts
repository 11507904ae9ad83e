import { makeZip } from 'client-zip';
import type { ExportProgress, ExportReply, NamedRequest } from './export-protocol.ts';
import { Pipe } from './pipe.ts';

export type Summary = Omit<ExportReply, 'file' | 'bytes'>;

type Write = (chunk: Uint8Array) => Promise<void>;

export interface SeveralTools {
  /** Makes one of the files. */
  readonly make: (
    request: NamedRequest['request'],
    write: Write,
    onProgress: (progress: ExportProgress) => void,
  ) => Promise<Summary>;
  readonly created: Date;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly write: Write;
}

/**
 * Makes files one after the other into a ZIP; each is written while it is made, so that none is held in memory.
 * @throws Error naming the file that could not be made
 */
export async function writeSeveral(files: readonly NamedRequest[], tools: SeveralTools): Promise<Summary> {
  const summaries: Summary[] = [];
  const entries = new Pipe<{ name: string; input: AsyncIterable<Uint8Array>; lastModified: Date }>();
  const reader = makeZip(entries).getReader();
  const writeAll = async (): Promise<void> => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      await tools.write(part.value);
  };
  const written = writeAll();
  // It ends the file under way, too.
  const broken = new Promise<never>((_, reject) => {
    written.catch(reject);
  });
  broken.catch(() => undefined);
  let before = 0;
  const makeOne = async ({ name, request }: NamedRequest, left: number): Promise<void> => {
    let last: ExportProgress = { done: 0, total: 0 };
    const content = new Pipe<Uint8Array>();
    const entry = entries.push({ name, input: content, lastModified: tools.created });
    const made = await tools.make(
      request,
      // A ZIP that broke off takes no chunk any more.
      (chunk) => Promise.race([content.push(chunk), broken]),
      (progress) => {
        last = progress;
        // The files to come are about as long as this one, because languages differ in words alone.
        tools.onProgress?.({ done: before + progress.done, total: before + progress.total * left });
      },
    );
    content.end();
    await Promise.race([entry, broken]);
    before += last.total;
    const issues = made.issues.map((issue) => ({ ...issue, where: `${name}: ${issue.where}` }));
    summaries.push({ ...made, issues });
  };
  const makeAll = async (): Promise<void> => {
    for (const [index, file] of files.entries()) {
      try {
        await makeOne(file, files.length - index);
      } catch (error) {
        if (error instanceof Error && error.name !== 'AbortError')
          error.message = `${file.name}: ${error.message}`;
        throw error;
      }
    }
    entries.end();
  };
  await Promise.all([makeAll(), written]);
  return {
    pages: summaries.reduce((sum, { pages }) => sum + pages, 0),
    cards: summaries.reduce((sum, { cards }) => sum + cards, 0),
    issues: summaries.flatMap(({ issues }) => issues),
  };
}
