import { readDocx } from '../../core/book/docx/read.ts';
import { type Endpoint, serve } from '../rpc.ts';
import type { DocxMethods } from './rulebook-docx-protocol.ts';

serve<DocxMethods>(self as unknown as Endpoint, {
  read: async (bytes) => {
    const value = await readDocx(bytes);
    return { value, transfer: value.pictures.map((picture) => picture.bytes.buffer) };
  },
});
