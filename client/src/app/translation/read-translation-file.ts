import type { Whole } from '../../core/translation/languages.ts';
import type { TranslationFile } from '../../core/translation/translation-file.ts';

/** True if a translation goes out and in as a table, too: texts of a rulebook stand in none. */
export const takesTables = (whole: Whole): boolean => whole === 'project';

/** Reads a file of translations. Its reader is loaded when it is needed. @throws TranslationError when it is none */
export async function readTranslationFile(file: File, whole: Whole): Promise<TranslationFile> {
  if (takesTables(whole) && /\.xlsx$/i.test(file.name)) return readWorkbook(file);
  if (takesTables(whole) && /\.csv$/i.test(file.name)) {
    const { decodeCsv, MAX_CSV_BYTES, readCsv } = await import('../../core/translation/csv.ts');
    return readCsv(decodeCsv(await bytesOf(file, MAX_CSV_BYTES)));
  }
  const { decodeXliff, MAX_XLIFF_BYTES, readXliff } = await import('../../core/translation/xliff-read.ts');
  return readXliff(decodeXliff(await bytesOf(file, MAX_XLIFF_BYTES)));
}

/** Largest workbook that is read, in bytes: the same as of the other files. */
const MAX_WORKBOOK_FILE_BYTES = 16 * 1024 * 1024;

async function readWorkbook(file: File): Promise<TranslationFile> {
  const [{ readTable }, { readWorkbookInWorker }, { TranslationError }] = await Promise.all([
    import('../../core/translation/translation-table.ts'),
    import('../../workers/workbook/workbook-reader.ts'),
    import('../../core/translation/error.ts'),
  ]);
  const bytes = await bytesOf(file, MAX_WORKBOOK_FILE_BYTES);
  if (bytes.length > MAX_WORKBOOK_FILE_BYTES) {
    const most = MAX_WORKBOOK_FILE_BYTES / 1024 / 1024;
    throw new TranslationError(
      `The file has more than ${most} MB. A workbook of ours is far smaller: check that it is the right one.`,
    );
  }
  return readTable(await readWorkbookInWorker(bytes), (cell) => cell);
}

/** One byte more than may be read says that a file is too large. */
const bytesOf = async (file: File, most: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
