import type { DocxBook } from '../../core/book/docx/read.ts';

export type DocxMethods = {
  read: { argument: Uint8Array; result: DocxBook; progress: never };
};
