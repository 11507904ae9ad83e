/** Name of workbook errors: only the name survives the way out of a worker. */
export const WORKBOOK_ERROR = 'WorkbookError';

/** A workbook that cannot be read; the message is for whoever chose it. */
export class WorkbookError extends Error {
  override readonly name = WORKBOOK_ERROR;
}
