import type { PrintRunDocument } from '../../../../data/documents/documents.ts';
import { dayAndTime } from '../../../../ui/dates.ts';

/** A print in a line: `print 3 of v0.7, 3 Nov 2026, 14:05 (12)`. */
export const printWords = ({
  number,
  versionName,
  at,
  cards,
}: Pick<PrintRunDocument, 'number' | 'versionName' | 'at'> & { readonly cards?: number }): string =>
  [`print ${number}${versionName ? ` of ${versionName}` : ''}`, ...(at ? [dayAndTime(at)] : [])].join(', ') +
  (cards === undefined ? '' : ` (${cards})`);
