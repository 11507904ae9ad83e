import { safeName } from '../../core/imposition/images/file-names.ts';
import type { TranslatedUnit } from '../../core/translation/translation.ts';
import type { TranslationHead } from '../../core/translation/xliff-write.ts';
import { saveFile } from '../../ui/download.ts';

/** Type of an Excel workbook. */
export const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const nameOf = ({ title, to }: TranslationHead, ending: string): string =>
  `${safeName(title)} ${to}.${ending}`;

/** Offers a translation as XLIFF. Its writer is loaded when it is needed. */
export async function offerXliff(head: TranslationHead, units: readonly TranslatedUnit[]): Promise<void> {
  const { writeXliff } = await import('../../core/translation/xliff-write.ts');
  saveFile(nameOf(head, 'xlf'), new Blob([writeXliff(head, units)], { type: 'application/xliff+xml' }));
}

/** Offers a translation as an Excel workbook. */
export async function offerWorkbook(head: TranslationHead, units: readonly TranslatedUnit[]): Promise<void> {
  const { TABLE_HEADER, tableRows } = await import('../../core/translation/translation-table.ts');
  const { toXlsx } = await import('../../data/table/workbook.ts');
  const bytes = toXlsx({ header: TABLE_HEADER, rows: tableRows(head, units) });
  saveFile(nameOf(head, 'xlsx'), new Blob([bytes], { type: WORKBOOK }));
}

/** Offers a translation as CSV. */
export async function offerCsv(head: TranslationHead, units: readonly TranslatedUnit[]): Promise<void> {
  const { writeCsv } = await import('../../core/translation/csv.ts');
  saveFile(nameOf(head, 'csv'), new Blob([writeCsv(head, units)], { type: 'text/csv;charset=utf-8' }));
}
