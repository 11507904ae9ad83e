import type { Rulebook } from '../../../../core/book/schema.ts';
import type { TranslatedUnit } from '../../../../core/book/translation/translation.ts';
import { safeName } from '../../../../core/imposition/file-names.ts';
import { offerFile } from '../../../../ui/download.ts';

/** Time that a browser has to read a file that it was offered, in milliseconds. */
const OFFERED_MS = 60_000;

/** Offers the translation of a rulebook as XLIFF. Its writer is loaded when it is needed. */
export async function offerXliff(
  rulebook: string,
  doc: Rulebook,
  language: string,
  units: readonly TranslatedUnit[],
): Promise<void> {
  const { writeXliff, xliffHead } = await import('../../../../core/book/translation/xliff-write.ts');
  const text = writeXliff(xliffHead(rulebook, doc, language), units);
  const url = URL.createObjectURL(new Blob([text], { type: 'application/xliff+xml' }));
  offerFile(url, `${safeName(doc.title)} ${language}.xlf`);
  setTimeout(() => URL.revokeObjectURL(url), OFFERED_MS);
}
