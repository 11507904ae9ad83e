import { unpackEntry, type ZipFault, ZipRefused, zipDirectory } from '../limited-zip.ts';
import { WorkbookError } from './workbook-error.ts';

/** Most bytes that a workbook's parts take together once unpacked: some 500,000 cells. */
export const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024;
/** Most parts of a workbook: one for each sheet, styles, drawings, and their relations. */
const MAX_PARTS = 2_000;

export const UNREADABLE = 'This is no Excel workbook that can be read. Save it again as .xlsx, or as CSV.';
const FAULTS: Readonly<Record<ZipFault, string>> = {
  'no-zip': UNREADABLE,
  zip64: 'This workbook is packed as ZIP64. Save it again in a spreadsheet program, or as CSV.',
  'too-many-parts': `This workbook has more than ${MAX_PARTS} parts.`,
};

/**
 * The XML parts of a workbook. The directory is checked before a byte is unpacked, and a part is refused as soon as it
 * is longer than the directory says.
 * @throws WorkbookError
 */
export function unpackWorkbook(bytes: Uint8Array): Map<string, Uint8Array> {
  try {
    const entries = zipDirectory(bytes, MAX_PARTS).filter(({ name }) => /\.xml(?:\.rels)?$/i.test(name));
    const declared = entries.reduce((sum, { size }) => sum + size, 0);
    if (declared > MAX_WORKBOOK_BYTES) {
      throw new WorkbookError(
        `This workbook holds ${Math.ceil(declared / 1024 / 1024)} MB of cells; at most ${MAX_WORKBOOK_BYTES / 1024 / 1024} MB fit. Save the sheet you need on its own.`,
      );
    }
    return new Map(entries.map((entry) => [entry.name, unpackEntry(bytes, entry)]));
  } catch (error) {
    throw error instanceof ZipRefused ? new WorkbookError(FAULTS[error.fault]) : error;
  }
}
