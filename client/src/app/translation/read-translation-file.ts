import type { TranslationFile } from '../../core/translation/translation-file.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';

/** Reads a file of translations. Its readers are loaded when they are needed. @throws TranslationError when it is none */
export async function readTranslationFile(file: File, _head: TranslationHead): Promise<TranslationFile> {
  const { decodeXliff, MAX_XLIFF_BYTES, readXliff } = await import('../../core/translation/xliff-read.ts');
  // One byte more than may be read says that it is too large.
  const bytes = await file.slice(0, MAX_XLIFF_BYTES + 1).arrayBuffer();
  return readXliff(decodeXliff(new Uint8Array(bytes)));
}
