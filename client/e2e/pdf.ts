/** Reads PDF files with Debian's poppler and qpdf. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Largest output of a tool, in bytes. */
const maxBuffer = 16 << 20;

/** The text of all pages, with white space made even. */
export async function pdfText(file: string): Promise<string> {
  const { stdout } = await run('pdftotext', [file, '-'], { maxBuffer });
  return stdout.replace(/\s+/g, ' ');
}

export async function pdfInfo(file: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await run('pdfinfo', [file], { maxBuffer });
  const entries = stdout.split('\n').map((line) => line.split(/:\s+/, 2));
  return Object.fromEntries(entries.map(([key = '', value = '']) => [key, value]));
}

/** Fails with qpdf's own words unless the file is sound. */
export async function checkPdf(file: string): Promise<string> {
  return (await run('qpdf', ['--check', file], { maxBuffer })).stdout;
}
