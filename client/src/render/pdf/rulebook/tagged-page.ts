import { PDFName, type PDFPage } from '@cantoo/pdf-lib';
import type { DisplayList, Op } from '../../../core/scene/display/display-list.ts';
import type { Rect } from '../../../core/scene/display/matrix.ts';
import { Content } from '../content.ts';
import type { PdfFile } from '../file.ts';
import { addLink, type LinkTarget } from './links.ts';
import type { StructureElement, StructureTree } from './structure.ts';

export const PT_PER_MM = 72 / 25.4;

/** A stretch of a page's content. */
export interface PagePart {
  /** Operations in millimetres from the page's top left. */
  readonly ops: readonly Op[];
  /** The element it belongs to; undefined for an artifact: a page number, a running head, a background. */
  readonly element: StructureElement | undefined;
}

export interface TaggedPage {
  /** Millimetres. */
  readonly w: number;
  readonly h: number;
  /** In reading order; artifacts anywhere. */
  readonly parts: readonly PagePart[];
}

/**
 * Adds a page whose content is marked as parts of the document's structure.
 * @throws Error naming an image or font that cannot be embedded
 */
export async function addTaggedPage(file: PdfFile, tree: StructureTree, page: TaggedPage): Promise<PDFPage> {
  const { document, resources } = file;
  const [width, height] = [page.w * PT_PER_MM, page.h * PT_PER_MM];
  const added = document.addPage([width, height]);
  const content = new Content().transform([PT_PER_MM, 0, 0, -PT_PER_MM, 0, height]);
  for (const { ops, element } of page.parts) {
    if (ops.length === 0) continue;
    const painted = await file.paintPageContent(listOf(page, ops));
    content.raw(element ? `${tree.mark(added.ref, element)} BDC` : '/Artifact BMC');
    content.raw(painted.toString()).raw('EMC');
  }
  added.node.set(PDFName.of('Resources'), resources.ref);
  const stream = document.context.flateStream(content.toString());
  added.node.set(PDFName.of('Contents'), document.context.register(stream));
  const key = tree.pageKey(added.ref);
  if (key !== undefined) added.node.set(PDFName.of('StructParents'), document.context.obj(key));
  // Keyboards reach links in the order of the structure.
  added.node.set(PDFName.of('Tabs'), PDFName.of('S'));
  return added;
}

export interface TaggedLink {
  /** Millimetres from the page's top left. */
  readonly box: Rect;
  readonly target: LinkTarget;
  readonly description?: string;
  readonly element: StructureElement;
}

/** Adds a link to a page and to its element of the structure. */
export function addTaggedLink(file: PdfFile, tree: StructureTree, page: PDFPage, link: TaggedLink): void {
  const { x, y, w, h } = link.box;
  const height = page.getHeight();
  const annotation = addLink(file.document, page, {
    rect: [x * PT_PER_MM, height - (y + h) * PT_PER_MM, (x + w) * PT_PER_MM, height - y * PT_PER_MM],
    target: link.target,
    structParent: tree.annotationKey(link.element),
    ...(link.description && { description: link.description }),
  });
  tree.annotate(link.element, page.ref, annotation);
}

const listOf = ({ w, h }: TaggedPage, ops: readonly Op[]): DisplayList => ({
  w,
  h,
  bleed: 0,
  trim: { kind: 'rect', box: { x: 0, y: 0, w, h }, radii: [0, 0, 0, 0] },
  ops,
  zones: [],
  issues: [],
});
