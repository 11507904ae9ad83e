import type { Whole } from '../../core/translation/languages.ts';
import type { TranslationFile } from '../../core/translation/translation-file.ts';

/** True if a translation goes out and in as CSV, too: texts of a rulebook stand in no table. */
export const takesCsv = (whole: Whole): boolean => whole === 'project';

/** Reads a file of translations. Its reader is loaded when it is needed. @throws TranslationError when it is none */
export async function readTranslationFile(file: File, whole: Whole): Promise<TranslationFile> {
  if (takesCsv(whole) && /\.csv$/i.test(file.name)) {
    const { decodeCsv, MAX_CSV_BYTES, readCsv } = await import('../../core/translation/csv.ts');
    return readCsv(decodeCsv(await bytesOf(file, MAX_CSV_BYTES)));
  }
  const { decodeXliff, MAX_XLIFF_BYTES, readXliff } = await import('../../core/translation/xliff-read.ts');
  return readXliff(decodeXliff(await bytesOf(file, MAX_XLIFF_BYTES)));
}

/** One byte more than may be read says that a file is too large. */
const bytesOf = async (file: File, most: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
