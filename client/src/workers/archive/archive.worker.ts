import { fromFiles, toFiles } from '../../core/archive/format.ts';
import { unzip, zip } from '../../core/archive/zip.ts';
import { type Endpoint, serve } from '../rpc.ts';
import type { ArchiveMethods } from './archive-protocol.ts';

serve<ArchiveMethods>(self as unknown as Endpoint, {
  pack: async (bundle, { progress }) => {
    const bytes = zip(toFiles(bundle), (done, total) => progress({ done, total }));
    return { value: bytes, transfer: [bytes.buffer] };
  },
  unpack: async (bytes) => {
    const bundle = fromFiles(unzip(bytes));
    return { value: bundle, transfer: bundle.images.map(({ bytes: image }) => image.buffer) };
  },
});
