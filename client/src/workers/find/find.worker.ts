import { findIn } from '../../core/table/find.ts';
import { type Endpoint, serve } from '../rpc.ts';
import type { FindMethods } from './find-protocol.ts';

serve<FindMethods>(self as unknown as Endpoint, {
  find: async ({ cells, search, replacement }) => ({
    value: findIn(cells, search, replacement),
    transfer: [],
  }),
});
