import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PackError } from '../core/play/box/pack.ts';
import { UnreadableDocument } from '../data/documents/documents.ts';
import { Files } from './files/files.ts';
import { renderContextOf } from './make.ts';
import { ProjectDocuments, packDocuments, readRequest } from './packing/packing.ts';
import { endWithParent } from './parent.ts';

/**
 * `pack-cards --server URL`: packs projects into boxes of tables for as long as its server lives. Each line of the input
 * is a request, each line of the output its answer, in the same order.
 */

const here = path.dirname(fileURLToPath(import.meta.url));

async function serve(origin: string): Promise<void> {
  endWithParent();
  const documents = new ProjectDocuments();
  const files = new Files({ origin, outside: false, advice: 'upload it.' });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = readRequest(line);
    documents.take(request);
    const answer = await packDocuments(documents, request, (library) => {
      const context = renderContextOf({ library }, files, here);
      return (...args) => context.fitGroups(...args);
    }).then(
      ({ box }) => ({ no: request.no, box }),
      (error: unknown) => {
        // Others are faults of this program, which the server logs.
        if (!(error instanceof PackError || error instanceof UnreadableDocument)) throw error;
        return { no: request.no, refused: error.message };
      },
    );
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

const { values } = parseArgs({ options: { server: { type: 'string', default: 'http://127.0.0.1:5000' } } });
serve(values.server).catch((error: unknown) => {
  process.stderr.write(`pack-cards failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
