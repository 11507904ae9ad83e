import { safeName } from '../../core/imposition/images/file-names.ts';
import type { TranslatedUnit } from '../../core/translation/translation.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';
import { saveFile } from '../../ui/download.ts';

const nameOf = ({ title, to }: TranslationHead, ending: string): string =>
  `${safeName(title)} ${to}.${ending}`;

/** Offers a translation as XLIFF. Its writer is loaded when it is needed. */
export async function offerXliff(head: TranslationHead, units: readonly TranslatedUnit[]): Promise<void> {
  const { writeXliff } = await import('../../core/translation/xliff-write.ts');
  saveFile(nameOf(head, 'xlf'), new Blob([writeXliff(head, units)], { type: 'application/xliff+xml' }));
}

/** Offers a translation as CSV. */
export async function offerCsv(head: TranslationHead, units: readonly TranslatedUnit[]): Promise<void> {
  const { writeCsv } = await import('../../core/translation/csv.ts');
  saveFile(nameOf(head, 'csv'), new Blob([writeCsv(head, units)], { type: 'text/csv;charset=utf-8' }));
}
