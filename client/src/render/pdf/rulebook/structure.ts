import {
  type PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFRef,
} from '@cantoo/pdf-lib';

/** Types of structure elements, of PDF's standard set. */
export type StructureType =
  | 'Document'
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'
  | 'Caption'
  | 'TOC'
  | 'TOCI'
  | 'Index'
  | 'Div'
  | 'Note'
  | 'Link'
  | 'Span';

export interface ElementDetails {
  /** Text in place of a figure. */
  readonly alt?: string;
  readonly title?: string;
  /** Language of the element where it is not the document's, such as `fr`. */
  readonly language?: string;
  /** Columns that a table's cell spans; 1 when left out. */
  readonly columns?: number;
}

/** An element of a document's structure. */
export interface StructureElement {
  readonly type: StructureType;
  readonly ref: PDFRef;
}

interface Element extends StructureElement {
  readonly kids: PDFArray;
  readonly dict: PDFDict;
}

/**
 * The logical structure of a document (ISO 32000-1, 14.7 and 14.8): a tree of headings, paragraphs, lists, tables and
 * figures in reading order, whose leaves are marked stretches of the pages' content and links. Content that belongs to
 * no element, such as a page's number, is an artifact.
 */
export class StructureTree {
  readonly root: StructureElement;
  readonly #document: PDFDocument;
  readonly #tree: PDFRef;
  readonly #elements = new Map<PDFRef, Element>();
  /** For each key of the parent tree: the element of each mark of a page, or the element of an annotation. */
  readonly #parents: (PDFRef[] | PDFRef)[] = [];
  readonly #pages = new Map<PDFRef, number>();

  constructor(document: PDFDocument) {
    this.#document = document;
    this.#tree = document.context.nextRef();
    this.root = this.#make('Document', this.#tree, {});
  }

  /** Adds an element at the end of another. */
  add(
    type: StructureType,
    parent: StructureElement = this.root,
    details: ElementDetails = {},
  ): StructureElement {
    const element = this.#make(type, parent.ref, details);
    this.#element(parent).kids.push(element.ref);
    return element;
  }

  /**
   * Announces a stretch of a page's content that belongs to an element.
   * @returns the operand of the `BDC` that opens it
   */
  mark(page: PDFRef, owner: StructureElement): string {
    let key = this.#pages.get(page);
    if (key === undefined) {
      key = this.#parents.push([]) - 1;
      this.#pages.set(page, key);
    }
    const marks = this.#parents[key] as PDFRef[];
    const id = marks.push(owner.ref) - 1;
    const { context } = this.#document;
    this.#element(owner).kids.push(context.obj({ Type: 'MCR', Pg: page, MCID: id }));
    return `/${owner.type} <</MCID ${id}>>`;
  }

  /** Key under which an annotation of an element is found; the annotation itself follows by `annotate`. */
  annotationKey(owner: StructureElement): number {
    return this.#parents.push(owner.ref) - 1;
  }

  annotate(owner: StructureElement, page: PDFRef, annotation: PDFRef): void {
    const { context } = this.#document;
    this.#element(owner).kids.push(context.obj({ Type: 'OBJR', Pg: page, Obj: annotation }));
  }

  /** Key of a page in the parent tree; undefined for a page without marks. */
  pageKey(page: PDFRef): number | undefined {
    return this.#pages.get(page);
  }

  /** Writes the tree into the document. Call once, after the last mark. */
  finish(): void {
    const { context, catalog } = this.#document;
    const numbers = this.#parents.flatMap((entry, key) => [
      key,
      Array.isArray(entry) ? context.register(context.obj(entry)) : entry,
    ]);
    const parentTree = context.register(context.obj({ Nums: numbers }));
    context.assign(
      this.#tree,
      context.obj({
        Type: 'StructTreeRoot',
        K: [this.root.ref],
        ParentTree: parentTree,
        ParentTreeNextKey: this.#parents.length,
      }),
    );
    for (const { dict, kids } of this.#elements.values()) {
      if (kids.size() > 0) dict.set(PDFName.of('K'), kids);
    }
    catalog.set(PDFName.of('StructTreeRoot'), this.#tree);
    catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  }

  #make(type: StructureType, parent: PDFRef, details: ElementDetails): Element {
    const { context } = this.#document;
    const dict = context.obj({ Type: 'StructElem', S: type, P: parent }) as PDFDict;
    if (details.alt !== undefined) dict.set(PDFName.of('Alt'), PDFHexString.fromText(details.alt));
    if (details.title !== undefined) dict.set(PDFName.of('T'), PDFHexString.fromText(details.title));
    if (details.language !== undefined) dict.set(PDFName.of('Lang'), PDFHexString.fromText(details.language));
    const attributes = attributesOf(type, details);
    if (attributes) dict.set(PDFName.of('A'), context.obj(attributes));
    const element = { type, ref: context.register(dict), dict, kids: context.obj([]) as PDFArray };
    this.#elements.set(element.ref, element);
    return element;
  }

  #element({ ref, type }: StructureElement): Element {
    const element = this.#elements.get(ref);
    if (!element) throw new Error(`The element ${type} belongs to another structure tree.`);
    return element;
  }
}

function attributesOf(
  type: StructureType,
  { columns = 1 }: ElementDetails,
): Record<string, string | number> | null {
  if (type === 'TH') return { O: 'Table', Scope: 'Column', ...(columns > 1 && { ColSpan: columns }) };
  if (type === 'TD' && columns > 1) return { O: 'Table', ColSpan: columns };
  return type === 'L' ? { O: 'List', ListNumbering: 'None' } : null;
}
