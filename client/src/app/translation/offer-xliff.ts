import { safeName } from '../../core/imposition/images/file-names.ts';
import type { TranslatedUnit } from '../../core/translation/translation.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';
import { saveFile } from '../../ui/download.ts';

/** Offers a translation as XLIFF. Its writer is loaded when it is needed. */
export async function offerXliff(head: TranslationHead, units: readonly TranslatedUnit[]): Promise<void> {
  const { writeXliff } = await import('../../core/translation/xliff-write.ts');
  const text = writeXliff(head, units);
  saveFile(`${safeName(head.title)} ${head.to}.xlf`, new Blob([text], { type: 'application/xliff+xml' }));
}
