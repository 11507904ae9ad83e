import type { Rulebook } from '../../../../core/book/document/schema.ts';
import type { TranslatedUnit } from '../../../../core/book/translation/translation.ts';
import { safeName } from '../../../../core/imposition/images/file-names.ts';
import { saveFile } from '../../../../ui/download.ts';

/** Offers the translation of a rulebook as XLIFF. Its writer is loaded when it is needed. */
export async function offerXliff(
  rulebook: string,
  doc: Rulebook,
  language: string,
  units: readonly TranslatedUnit[],
): Promise<void> {
  const { writeXliff, xliffHead } = await import('../../../../core/book/translation/xliff-write.ts');
  const text = writeXliff(xliffHead(rulebook, doc, language), units);
  saveFile(`${safeName(doc.title)} ${language}.xlf`, new Blob([text], { type: 'application/xliff+xml' }));
}
