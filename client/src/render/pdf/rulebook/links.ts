import {
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';

/** Somewhere a link leads: a place of this document, or an address outside. */
export type LinkTarget =
  | {
      readonly page: PDFRef;
      /** Height on the page, in points from its bottom. */
      readonly top: number;
    }
  | { readonly url: string };

export interface LinkArea {
  /** Left, bottom, right, top, in points from the page's bottom left. */
  readonly rect: readonly [number, number, number, number];
  readonly target: LinkTarget;
  /** Read aloud in place of the link's text. */
  readonly description?: string;
  /** Key of the annotation in the structure's parent tree; see `StructureTree`. */
  readonly structParent?: number;
}

/** Flag of an annotation that is printed; links without it are no valid part of an archive. */
const PRINTED = 4;

/** Adds a link to a page and returns its annotation. It has no border: its text shows that it is one. */
export function addLink(document: PDFDocument, page: PDFPage, link: LinkArea): PDFRef {
  const { context } = document;
  const annotation = context.obj({
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [...link.rect],
    Border: [0, 0, 0],
    F: PRINTED,
    ...(link.structParent !== undefined && { StructParent: link.structParent }),
  });
  if ('url' in link.target) {
    const action = context.obj({ Type: 'Action', S: 'URI' });
    action.set(PDFName.of('URI'), PDFString.of(asciiUrl(link.target.url)));
    annotation.set(PDFName.of('A'), action);
  } else {
    annotation.set(PDFName.of('Dest'), context.obj([link.target.page, 'XYZ', null, link.target.top, null]));
  }
  if (link.description) annotation.set(PDFName.of('Contents'), PDFHexString.fromText(link.description));
  const ref = context.register(annotation);
  page.node.addAnnot(ref);
  return ref;
}

/** An address in the characters a PDF string may hold: others percent-encoded, brackets escaped. */
function asciiUrl(url: string): string {
  const ascii = url.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
  return ascii.replace(/[()\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
