import { RulebookError } from '../document/error.ts';
import { closingToken, linePieces, type Piece, piecesIn } from './notation.ts';
import { FORMER_SOURCE, type XliffHead } from './xliff-write.ts';
import { readXml, type XmlElement } from './xml.ts';

/** Largest file that is read, in bytes. */
export const MAX_XLIFF_BYTES = 16 * 1024 * 1024;

/** A unit of a file. */
export interface XliffUnit {
  readonly id: string;
  readonly name: string;
  /** True if the translator says that it is translated. */
  readonly finished: boolean;
  /** The source of a stale translation, in the notation. */
  readonly former: string | undefined;
  /** Texts, or the reason why they cannot be read. */
  readonly texts:
    | { readonly source: readonly Piece[]; readonly target: readonly Piece[] | undefined }
    | { readonly problem: string };
}

export interface XliffFile {
  readonly head: XliffHead;
  readonly units: readonly XliffUnit[];
}

/** Decodes a file: UTF-8, or UTF-16 with its mark. @throws RulebookError when it is too large or neither */
export function decodeXliff(bytes: Uint8Array): string {
  if (bytes.length > MAX_XLIFF_BYTES) {
    throw new RulebookError(
      `The file has more than ${MAX_XLIFF_BYTES / 1024 / 1024} MB. An XLIFF file of a rulebook is far smaller: check that it is the right one.`,
    );
  }
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new RulebookError('The file is not text in UTF-8 or UTF-16, so it is not an XLIFF file.');
  }
}

/**
 * Reads XLIFF 2 with one file of units.
 * @throws RulebookError when it is none; faults of single units are in those
 */
export function readXliff(text: string): XliffFile {
  const root = readXml(text);
  const files = children(root, 'file');
  const [file] = files;
  if (!file || files.length > 1) {
    throw new RulebookError(
      `The XLIFF file has ${files.length} file elements; the translation of a rulebook has one.`,
    );
  }
  const head: XliffHead = {
    rulebook: file.attributes.get('id') ?? '',
    title: file.attributes.get('original') ?? '',
    from: root.attributes.get('srcLang') ?? '',
    to: root.attributes.get('trgLang') ?? '',
  };
  return { head, units: unitsIn(file).map(readUnit) };
}

const isElement = (one: XmlElement | string): one is XmlElement => typeof one !== 'string';
const children = ({ content }: XmlElement, ...names: readonly string[]): XmlElement[] =>
  content.filter((one): one is XmlElement => isElement(one) && names.includes(one.name));
const textIn = ({ content }: XmlElement): string =>
  content.map((one) => (isElement(one) ? (one.name === 'cp' ? codePoint(one) : textIn(one)) : one)).join('');

/** Units, those in groups among them: some programs put them there. */
const unitsIn = (parent: XmlElement): XmlElement[] =>
  children(parent, 'unit', 'group').flatMap((one) => (one.name === 'unit' ? [one] : unitsIn(one)));

function readUnit(unit: XmlElement): XliffUnit {
  const segments = children(unit, 'segment');
  const note = children(unit, 'notes')
    .flatMap((notes) => children(notes, 'note'))
    .find(({ attributes }) => attributes.get('category') === FORMER_SOURCE);
  return {
    id: unit.attributes.get('id') ?? '',
    name: unit.attributes.get('name') ?? '',
    finished:
      segments.length > 0 &&
      segments.every(({ attributes }) => (attributes.get('state') ?? 'initial') !== 'initial'),
    former: note && textIn(note),
    texts: textsOf(unit),
  };
}

function textsOf(unit: XmlElement): XliffUnit['texts'] {
  const data = new Map<string, string>();
  for (const one of children(unit, 'originalData').flatMap((list) => children(list, 'data'))) {
    data.set(one.attributes.get('id') ?? '', textIn(one));
  }
  const parts = children(unit, 'segment', 'ignorable');
  const sources = parts.flatMap((part) => children(part, 'source').slice(0, 1));
  const targets = parts.map((part) => children(part, 'target')[0] ?? ignored(part));
  const there = targets.filter((target) => target !== undefined);
  const words = parts.filter(({ name }) => name === 'segment').length;
  const translated = parts.filter((part) => children(part, 'target').length > 0).length;
  try {
    const reader = new ContentReader(data);
    const source = reader.read(sources);
    if (translated === 0) return { source, target: undefined };
    if (there.length < parts.length) {
      return { problem: `Only some of its ${words} segments are translated: translate the others as well.` };
    }
    return { source, target: reader.read(there) };
  } catch (error) {
    if (error instanceof RulebookError) return { problem: error.message };
    throw error;
  }
}

/** The spaces between segments are the source's where they have no target. */
const ignored = (part: XmlElement): XmlElement | undefined =>
  part.name === 'ignorable' ? children(part, 'source')[0] : undefined;

function codePoint({ attributes }: XmlElement): string {
  const code = Number.parseInt(attributes.get('hex') ?? '', 16);
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** Reads sources and targets of one unit as pieces of the notation. */
class ContentReader {
  readonly #data: ReadonlyMap<string, string>;
  /** Tokens that end what an element with an id began. */
  readonly #ends = new Map<string, string>();

  constructor(data: ReadonlyMap<string, string>) {
    this.#data = data;
  }

  read(elements: readonly XmlElement[]): Piece[] {
    return joined(elements.flatMap((one) => this.#content(one)));
  }

  #content({ content }: XmlElement): Piece[] {
    return content.flatMap((one): Piece[] => (isElement(one) ? this.#element(one) : linePieces(one)));
  }

  #element(element: XmlElement): Piece[] {
    const { name, attributes } = element;
    const token = (data: string, shown: string): string =>
      this.#data.get(attributes.get(data) ?? '') ?? attributes.get(shown) ?? '';
    switch (name) {
      case 'cp':
        return [{ kind: 'words', text: codePoint(element) }];
      case 'ph':
        return [this.#piece(element, token('dataRef', 'disp'), 'single')];
      case 'pc': {
        const open = this.#piece(element, token('dataRefStart', 'dispStart'), 'open');
        return [open, ...this.#content(element), { kind: 'close', token: endOf(open) }];
      }
      case 'sc': {
        const open = this.#piece(element, token('dataRef', 'disp'), 'open');
        this.#ends.set(attributes.get('id') ?? '', endOf(open));
        return [open];
      }
      case 'ec': {
        const end = this.#ends.get(attributes.get('startRef') ?? '') ?? token('dataRef', 'disp');
        return [this.#piece(element, end, 'close')];
      }
      case 'mrk':
        return this.#content(element);
      case 'sm':
      case 'em':
        return [];
      default:
        throw new RulebookError(`It has an element ${name.slice(0, 40)}, which cannot be part of a text.`);
    }
  }

  /** @throws RulebookError for an element that stands for no placeholder of a rulebook */
  #piece({ name, attributes }: XmlElement, token: string, kind: 'single' | 'open' | 'close'): Piece {
    const [piece, more] = piecesIn(token);
    if (piece?.kind === kind && !more) return piece;
    const id = (attributes.get('id') ?? '').slice(0, 40);
    throw new RulebookError(
      `The placeholder ${name} ${id} is not one of a rulebook: it stands for “${token.slice(0, 60)}”.`,
    );
  }
}

const endOf = (piece: Piece): string => (piece.kind === 'open' ? closingToken(piece.token) : '');

/** Neighbouring words as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const list: Piece[] = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    if (piece.kind === 'words' && last?.kind === 'words') {
      list[list.length - 1] = { kind: 'words', text: last.text + piece.text };
    } else list.push(piece);
  }
  return list;
}
