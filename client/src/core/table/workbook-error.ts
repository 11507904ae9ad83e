/** The name of errors of workbooks, which is all that is left of their class outside a worker. */
export const WORKBOOK_ERROR = 'WorkbookError';

/** Why a workbook is not read; the message is for whoever chose it. */
export class WorkbookError extends Error {
  override readonly name = WORKBOOK_ERROR;
}
