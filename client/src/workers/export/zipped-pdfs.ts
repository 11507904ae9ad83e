import { makeZip } from 'client-zip';
import { type PdfJob, type PdfTools, type PrintSummary, writePdf } from '../../render/pdf/document.ts';
import { Pipe } from './pipe.ts';

/** PDFs of about `maxBytes` each, numbered, in one ZIP that is written while they are made. */
export async function writeZippedPdfs(
  job: PdfJob & { readonly maxBytes: number; readonly fileName: string },
  tools: PdfTools,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<PrintSummary> {
  const pipe = new Pipe<{ name: string; input: Uint8Array; lastModified: Date }>();
  const { fileName, ...pdf } = job;
  const printed = writePdf(pdf, tools, (bytes, index) =>
    pipe.push({ name: `${fileName} ${index + 1}.pdf`, input: bytes, lastModified: job.created }),
  ).finally(() => pipe.end());
  const reader = makeZip(pipe).getReader();
  const written = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) await write(part.value);
  })();
  const [summary] = await Promise.all([printed, written]);
  return summary;
}
