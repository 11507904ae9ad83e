import { type PDFDict, type PDFDocument, PDFHexString, PDFName, type PDFRef } from '@cantoo/pdf-lib';

/** An entry of a document's outline, which viewers show beside the pages. */
export interface Bookmark {
  readonly title: string;
  readonly page: PDFRef;
  /** 1 is the top level; an entry belongs to the nearest one before it of a lower level. 1 when left out. */
  readonly level?: number;
  /** Height on the page to scroll to, in points from its bottom; the whole page when left out. */
  readonly top?: number;
}

interface Item extends Bookmark {
  readonly ref: PDFRef;
  readonly children: Item[];
}

/** Writes the outline of a document and asks viewers to show it; nothing without bookmarks. */
export function writeOutline(document: PDFDocument, bookmarks: readonly Bookmark[]): void {
  if (bookmarks.length === 0) return;
  const { context, catalog } = document;
  const root = context.nextRef();
  const dict = context.obj({ Type: 'Outlines' });
  linkChildren(document, dict, root, treeOf(document, bookmarks));
  context.assign(root, dict);
  catalog.set(PDFName.of('Outlines'), root);
  if (bookmarks.length > 1) catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'));
}

/** Entries below the one they belong to. A skipped level makes no empty entry. */
function treeOf({ context }: PDFDocument, bookmarks: readonly Bookmark[]): Item[] {
  const top: Item[] = [];
  const open: Item[] = [];
  for (const bookmark of bookmarks) {
    const level = bookmark.level ?? 1;
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const item: Item = { ...bookmark, level, ref: context.nextRef(), children: [] };
    (open.at(-1)?.children ?? top).push(item);
    open.push(item);
  }
  return top;
}

/** Links a parent with its entries, and those with each other. */
function linkChildren(
  document: PDFDocument,
  parent: PDFDict,
  parentRef: PDFRef,
  items: readonly Item[],
): void {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return;
  parent.set(PDFName.of('First'), first.ref);
  parent.set(PDFName.of('Last'), last.ref);
  // Of the root, the entries that show at once; a negative number keeps an entry folded.
  const folded = (parent.get(PDFName.of('Parent')) ?? null) !== null;
  parent.set(PDFName.of('Count'), document.context.obj(folded ? -items.length : items.length));
  for (const [index, item] of items.entries()) {
    const dest = item.top === undefined ? [item.page, 'Fit'] : [item.page, 'XYZ', null, item.top, null];
    const dict = document.context.obj({ Parent: parentRef, Dest: dest }) as PDFDict;
    dict.set(PDFName.of('Title'), PDFHexString.fromText(item.title));
    const [previous, next] = [items[index - 1], items[index + 1]];
    if (previous) dict.set(PDFName.of('Prev'), previous.ref);
    if (next) dict.set(PDFName.of('Next'), next.ref);
    linkChildren(document, dict, item.ref, item.children);
    document.context.assign(item.ref, dict);
  }
}
