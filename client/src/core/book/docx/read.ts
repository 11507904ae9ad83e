import { sameBytes } from '../../same-bytes.ts';
import { RulebookError } from '../document/error.ts';
import { fittingParts } from '../document/fitting-parts.ts';
import { LIMITS } from '../document/limits.ts';
import {
  type Block,
  type Figure,
  type Inline,
  languageSchema,
  parseRulebook,
  RULEBOOK_VERSION,
} from '../document/schema.ts';
import { withSources } from '../document/with-sources.ts';
import { fitting } from '../markdown/fit.ts';
import type { ReadBook } from '../markdown/read.ts';
import {
  type DocxDocument,
  type DocxImage,
  type DocxNode,
  type DocxNoteReference,
  type DocxParagraph,
  type DocxTable,
  readDocument,
} from './document.ts';
import { headingStyles } from './heading-styles.ts';
import { type FlatItem, MAX_LIST_LEVEL, nestedLists } from './lists.ts';
import { Losses } from './losses.ts';
import { type Between, divided, type PieceReader, piecesOf, withoutStrong, wordsOf } from './pieces.ts';
import { readTable } from './tables.ts';
import { unpackDocx } from './unpack.ts';

/** A picture of a document. Figures call it by its name until it is among the images of a project. */
export interface DocxPicture {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A rulebook read from a Word document. */
export interface DocxBook extends ReadBook {
  readonly pictures: readonly DocxPicture[];
  /** Sentences about all that could not be taken over as it was. */
  readonly losses: readonly string[];
}

/**
 * Reads a Word document (.docx) as far as a rulebook has a form for it. No words are lost but those that `losses` names.
 * @throws RulebookError saying what is wrong with the file, and what to do
 */
export async function readDocx(bytes: Uint8Array): Promise<DocxBook> {
  const unpacked = unpackDocx(bytes);
  const { document, remarks } = await readDocument(unpacked.bytes);
  const losses = new Losses();
  losses.parts(unpacked);
  losses.remarks(remarks);
  const reader = new Reader(document, losses, headingStyles(unpacked.text('word/styles.xml')));
  const blocks = fitting(reader.read());
  const pictures = await picturesOf(reader.images, losses);
  const names = new Map(pictures.map(({ source, picture }) => [source, picture.name]));
  const found = withSources(blocks, names);
  const language = /<w:lang\b[^>]*?\bw:val="([^"]+)"/
    .exec(unpacked.text('word/styles.xml'))?.[1]
    ?.toLowerCase();
  const head = {
    ...(reader.title !== '' && { title: reader.title }),
    ...(reader.subtitle !== '' && { subtitle: reader.subtitle }),
    ...(language !== undefined && languageSchema.safeParse(language).success && { language }),
  };
  // The limits are those of every rulebook.
  const whole = { version: RULEBOOK_VERSION, title: '-', subtitle: '', language: 'en', blocks: found };
  const unique = new Map(pictures.map(({ picture }) => [picture.name, picture]));
  return {
    ...head,
    blocks: parseRulebook(whole).blocks,
    pictures: [...unique.values()],
    losses: losses.sentences(),
  };
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
};

/** The pictures that browsers show, each once. */
async function picturesOf(images: ReadonlyMap<string, DocxImage>, losses: Losses) {
  const found: { readonly source: string; readonly picture: DocxPicture }[] = [];
  const unique: DocxPicture[] = [];
  for (const [source, image] of images) {
    const ending = ENDINGS[image.contentType ?? ''];
    if (ending === undefined) {
      losses.add('picture-kind');
      continue;
    }
    const bytes = await image.readAsArrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      // It lies somewhere else.
      () => undefined,
    );
    if (!bytes) {
      losses.add('picture-linked');
      continue;
    }
    let picture = unique.find((one) => sameBytes(one.bytes, bytes));
    if (!picture) {
      picture = { name: `picture-${unique.length + 1}.${ending}`, type: image.contentType ?? '', bytes };
      unique.push(picture);
    }
    found.push({ source, picture });
  }
  return found;
}

const isNamed = ({ styleName }: DocxParagraph, name: RegExp): boolean => name.test(styleName ?? '');

/** Blocks from the paragraphs and tables of a document. */
class Reader implements PieceReader {
  title = '';
  subtitle = '';
  readonly images = new Map<string, DocxImage>();
  readonly losses: Losses;
  readonly #document: DocxDocument;
  /** Levels of headings by the ids of their styles. */
  readonly #levels: ReadonlyMap<string, number>;
  #ids = 0;
  /** Headings by their bookmarks, and the ids that they get. */
  readonly #bookmarks = new Map<string, { readonly id: string; readonly words: string }>();
  readonly #headings = new Map<DocxNode, string>();
  readonly #blocks: Block[] = [];
  #items: FlatItem[] = [];
  /** Notes that were referred to since the last block of the page. */
  #notes: { readonly number: number; readonly reference: DocxNoteReference }[] = [];
  #noteCount = 0;
  #caption: Inline[] = [];
  #contents = false;

  constructor(document: DocxDocument, losses: Losses, levels: ReadonlyMap<string, number>) {
    this.#document = document;
    this.losses = losses;
    this.#levels = levels;
    this.#findHeadings();
  }

  read(): Block[] {
    for (const node of this.#document.children) {
      if (node.type === 'paragraph') this.#paragraph(node);
      else if (node.type === 'table') this.#table(node);
    }
    this.#endList();
    this.#endCaption();
    return this.#blocks;
  }

  note(reference: DocxNoteReference): number {
    this.#noteCount++;
    this.#notes.push({ number: this.#noteCount, reference });
    return this.#noteCount;
  }

  heading(bookmark: string, words: string): string | undefined {
    const target = this.#bookmarks.get(bookmark);
    return target && words !== '' && target.words === words ? target.id : undefined;
  }

  readonly #levelOf = ({ styleId }: DocxParagraph): number | undefined => this.#levels.get(styleId ?? '');

  readonly #id = (): string => `w${this.#ids++}`;

  /** Finds the headings first: a text may refer to one that comes later. */
  #findHeadings(): void {
    const silent: PieceReader = { losses: new Losses(), note: () => 0, heading: () => undefined };
    let waiting: string[] = [];
    for (const node of this.#document.children) {
      if (node.type === 'bookmarkStart') waiting.push(node.name);
      if (node.type !== 'paragraph') continue;
      const own = node.children.flatMap((child) => (child.type === 'bookmarkStart' ? [child.name] : []));
      if (this.#levelOf(node) !== undefined) {
        const id = this.#id();
        const words = wordsOf(piecesOf(silent, node.children)).trim();
        this.#headings.set(node, id);
        for (const name of [...waiting, ...own]) this.#bookmarks.set(name, { id, words });
      }
      waiting = [];
    }
  }

  #paragraph(node: DocxParagraph): void {
    if (isNamed(node, /^toc (?:\d|heading)/i)) {
      this.#contentsLine();
      return;
    }
    const before = this.#notes.length;
    const parts = divided(piecesOf(this, node.children));
    const [text] = parts;
    if (this.#levelOf(node) === undefined && node.numbering) {
      this.#listItem(node, parts);
    } else if (
      isNamed(node, /^list (?:paragraph|continue)/i) &&
      this.#items.length > 0 &&
      Array.isArray(text)
    ) {
      this.#items.at(-1)?.blocks.push(...this.#texts(text));
    } else if (parts.length > 0) {
      // Notes of the list stand below it, those of this paragraph below this.
      const own = this.#notes.splice(before);
      this.#endList();
      this.#notes.push(...own);
      if (!Array.isArray(text) || !this.#isHead(node, text)) this.#pageBlocks(node, parts);
      this.#flushNotes();
    }
  }

  #pageBlocks(node: DocxParagraph, parts: ReturnType<typeof divided>): void {
    const [text] = parts;
    if (isNamed(node, /caption$/i) && parts.length === 1 && Array.isArray(text)) {
      this.#captionLine(text);
      return;
    }
    this.#endCaption();
    let level = this.#levelOf(node);
    for (const part of parts) {
      if (!Array.isArray(part)) this.#blocks.push(this.#between(part));
      else if (level === undefined) this.#blocks.push(...this.#texts(part));
      else {
        const [first = [], ...rest] = fittingParts(part);
        if (level > 4) this.losses.add('deep-heading');
        const id = this.#headings.get(node) ?? this.#id();
        const shown = Math.min(4, level) as 1 | 2 | 3 | 4;
        this.#blocks.push({ type: 'heading', id, level: shown, content: withoutStrong(first) });
        this.#blocks.push(...this.#texts(rest.flat()));
        level = undefined;
      }
    }
  }

  /** Keeps the title and the subtitle of the document; a second title is a heading. */
  #isHead(node: DocxParagraph, content: readonly Inline[]): boolean {
    const words = wordsOf(content).trim();
    if (isNamed(node, /^title$/i) && this.title === '') {
      this.title = words.slice(0, LIMITS.title);
      return words.length <= LIMITS.title;
    }
    if (isNamed(node, /^subtitle$/i) && this.subtitle === '') {
      this.subtitle = words.slice(0, LIMITS.subtitle);
      return words.length <= LIMITS.subtitle;
    }
    return false;
  }

  #contentsLine(): void {
    if (this.#contents) return;
    this.#contents = true;
    this.losses.add('contents');
    this.#endList();
    this.#endCaption();
    this.#blocks.push({ type: 'live', id: this.#id(), show: 'contents' });
  }

  #listItem({ numbering, styleName }: DocxParagraph, parts: ReturnType<typeof divided>): void {
    const blocks = parts.flatMap((part): Block[] => {
      if (Array.isArray(part)) return this.#texts(part);
      // Pages do not break in the middle of an item.
      return part.type === 'picture' ? [this.#figure(part.image)] : [];
    });
    if (blocks.length === 0) return;
    this.#endCaption();
    // Some programs number the deeper levels by styles of their own.
    const named = /^list (?:bullet|number) ([2-5])$/i.exec(styleName ?? '')?.[1] ?? 1;
    const level = Math.max(Number(named) - 1, Math.trunc(Number(numbering?.level)) || 0);
    if (level > MAX_LIST_LEVEL) this.losses.add('deep-list');
    const marker = numbering?.isOrdered ? 'steps' : 'bullets';
    this.#items.push({ level: Math.min(MAX_LIST_LEVEL, level), marker, blocks });
  }

  #endList(): void {
    if (this.#items.length === 0) return;
    this.#blocks.push(...nestedLists(this.#items, this.#id));
    this.#items = [];
    this.#flushNotes();
  }

  #table(node: DocxTable): void {
    this.#endList();
    const table = readTable(this, node);
    if (!table) return;
    const caption = this.#caption;
    this.#caption = [];
    for (let at = 0; at < table.rows.length; at += LIMITS.rows) {
      const rows = table.rows.slice(at, at + LIMITS.rows);
      const headRows = at === 0 ? Math.min(table.headRows, rows.length) : 0;
      this.#blocks.push({ type: 'table', id: this.#id(), caption: at === 0 ? caption : [], headRows, rows });
    }
    for (const image of table.pictures) this.#blocks.push(this.#figure(image));
    this.#flushNotes();
  }

  /** The words below the picture before them, or above the table that comes. */
  #captionLine(content: Inline[]): void {
    const last = this.#blocks.at(-1);
    const caption = fittingParts(content)[0] ?? [];
    if (last?.type === 'figure' && last.caption.length === 0) {
      this.#blocks[this.#blocks.length - 1] = { ...last, caption };
      return;
    }
    this.#endCaption();
    this.#caption = content;
  }

  /** A caption of nothing is text. */
  #endCaption(): void {
    const content = this.#caption;
    this.#caption = [];
    this.#blocks.push(...this.#texts(content));
  }

  readonly #texts = (content: readonly Inline[]): Block[] =>
    fittingParts(content).map((part) => ({ type: 'paragraph', id: this.#id(), content: part }));

  #between(part: Between): Block {
    return part.type === 'picture'
      ? this.#figure(part.image)
      : { type: 'pageBreak', id: this.#id(), to: part.to };
  }

  #figure(image: DocxImage): Figure {
    const id = this.#id();
    this.images.set(id, image);
    const alt = (image.altText ?? '').slice(0, LIMITS.alt);
    return { type: 'figure', id, source: id, alt, place: 'column', width: 1, caption: [] };
  }

  /** Puts the footnotes below the block that refers to them. */
  #flushNotes(): void {
    // A note may refer to another one.
    for (let at = 0; at < this.#notes.length; at++) {
      const { number, reference } = this.#notes[at] ?? {};
      if (number === undefined || !reference) continue;
      if (at > MAX_NOTES_AT_ONCE) throw new RulebookError('Its footnotes refer to each other without end.');
      this.losses.add('note');
      const blocks = (this.#document.notes.resolve(reference)?.body ?? []).flatMap((node): Block[] => {
        if (node.type === 'table') return this.#noteTable(node);
        if (node.type !== 'paragraph') return [];
        return divided(piecesOf(this, node.children)).flatMap((part) =>
          Array.isArray(part) ? this.#texts(part) : part.type === 'picture' ? [this.#figure(part.image)] : [],
        );
      });
      this.#blocks.push({
        type: 'callout',
        id: this.#id(),
        kind: 'note',
        title: `Note ${number}`,
        blocks: blocks.length > 0 ? blocks : [{ type: 'paragraph', id: this.#id(), content: [] }],
      });
    }
    this.#notes = [];
  }

  #noteTable(node: DocxTable): Block[] {
    const table = readTable(this, node);
    if (!table) return [];
    const rows = table.rows.slice(0, LIMITS.rows);
    return [
      { type: 'table', id: this.#id(), caption: [], headRows: Math.min(table.headRows, rows.length), rows },
    ];
  }
}

/** Most notes of one block of the page. */
const MAX_NOTES_AT_ONCE = 1_000;
