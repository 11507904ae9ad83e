import { readWorkbookGrid } from '../../core/table/workbook-read.ts';
import { type Endpoint, serve } from '../rpc.ts';
import type { WorkbookMethods } from './workbook-protocol.ts';

serve<WorkbookMethods>(self as unknown as Endpoint, {
  read: async (bytes) => ({ value: await readWorkbookGrid(bytes), transfer: [] }),
});
