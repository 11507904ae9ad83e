import mammoth from 'mammoth';
import { RulebookError } from '../document/error.ts';

/** The document of a Word file as the library reads it: the parts of it that a rulebook is made from. */

export interface DocxText {
  readonly type: 'text';
  readonly value: string;
}
export interface DocxRun {
  readonly type: 'run';
  readonly children: readonly DocxNode[];
  readonly styleName: string | null;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderline: boolean;
  readonly isStrikethrough: boolean;
  readonly verticalAlignment: string;
  readonly highlight: string | null;
}
export interface DocxLink {
  readonly type: 'hyperlink';
  readonly children: readonly DocxNode[];
  readonly href?: string;
  readonly anchor?: string;
}
export interface DocxImage {
  readonly type: 'image';
  readonly altText?: string;
  readonly contentType?: string;
  readAsArrayBuffer(): Promise<ArrayBuffer>;
}
export interface DocxParagraph {
  readonly type: 'paragraph';
  readonly children: readonly DocxNode[];
  readonly styleId: string | null;
  readonly styleName: string | null;
  readonly numbering: { readonly level: string; readonly isOrdered: boolean } | null;
}
export interface DocxTable {
  readonly type: 'table';
  readonly children: readonly DocxNode[];
}
export interface DocxRow {
  readonly type: 'tableRow';
  readonly children: readonly DocxNode[];
  readonly isHeader: boolean;
}
export interface DocxCell {
  readonly type: 'tableCell';
  readonly children: readonly DocxNode[];
  readonly colSpan: number;
  readonly rowSpan: number;
}
export interface DocxNoteReference {
  readonly type: 'noteReference';
  readonly noteType: string;
  readonly noteId: string;
}
export type DocxNode =
  | DocxText
  | DocxRun
  | DocxLink
  | DocxImage
  | DocxParagraph
  | DocxTable
  | DocxRow
  | DocxCell
  | DocxNoteReference
  | { readonly type: 'tab' }
  | { readonly type: 'checkbox'; readonly checked: boolean }
  | { readonly type: 'break'; readonly breakType: 'line' | 'page' | 'column' }
  | { readonly type: 'bookmarkStart'; readonly name: string }
  | { readonly type: 'commentReference' };

export interface DocxDocument {
  readonly children: readonly DocxNode[];
  readonly notes: {
    resolve(reference: DocxNoteReference): { readonly body: readonly DocxNode[] } | null;
  };
}

/**
 * Reads the document in a Word file, and what the library says that it left out.
 * @throws RulebookError when there is none
 */
export async function readDocument(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly document: DocxDocument; readonly remarks: readonly string[] }> {
  let document: DocxDocument | undefined;
  // The library's builds for Node and for browsers look for different names; either takes bytes.
  const input = { buffer: bytes, arrayBuffer: bytes } as unknown as { arrayBuffer: ArrayBuffer };
  let remarks: readonly string[];
  try {
    const { messages } = await mammoth.convertToHtml(input, {
      includeEmbeddedStyleMap: false,
      transformDocument: (read: DocxDocument) => {
        document = read;
        // Without children no HTML is made; only the document is needed.
        return { ...read, children: [] };
      },
    });
    remarks = messages.map(({ message }) => message);
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message.slice(0, 200)})` : '';
    throw new RulebookError(
      `Its text cannot be read${why}. Open it in your text program and save it again as .docx.`,
    );
  }
  if (!document) throw new RulebookError('There is no document in it. Save it again as .docx.');
  return { document, remarks };
}
