import { TranslationError } from './error.ts';
import { closingToken, linePieces, type Piece, unescaped } from './pieces.ts';
import type { FileHead, FileUnit, TranslationFile } from './translation-file.ts';
import { FORMER_SOURCE } from './xliff-write.ts';
import { readXml, type XmlElement } from './xml.ts';

/** Largest file that is read, in bytes. */
export const MAX_XLIFF_BYTES = 16 * 1024 * 1024;

/** Decodes a file: UTF-8, or UTF-16 with its mark. @throws TranslationError when it is too large or neither */
export function decodeXliff(bytes: Uint8Array): string {
  if (bytes.length > MAX_XLIFF_BYTES) {
    throw new TranslationError(
      `The file has more than ${MAX_XLIFF_BYTES / 1024 / 1024} MB. An XLIFF file of ours is far smaller: check that it is the right one.`,
    );
  }
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new TranslationError('The file is not text in UTF-8 or UTF-16, so it is not an XLIFF file.');
  }
}

/**
 * Reads XLIFF 2 with one file of units.
 * @throws TranslationError when it is none; faults of single units are in those
 */
export function readXliff(text: string): TranslationFile {
  const root = readXml(text);
  const files = children(root, 'file');
  const [file] = files;
  if (!file || files.length > 1) {
    throw new TranslationError(
      `The XLIFF file has ${files.length} file elements; a translation of ours has one.`,
    );
  }
  const head: FileHead = {
    id: file.attributes.get('id') ?? '',
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

function readUnit(unit: XmlElement): FileUnit {
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
    former: note && unescaped(textIn(note)),
    texts: textsOf(unit),
  };
}

function textsOf(unit: XmlElement): FileUnit['texts'] {
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
    if (error instanceof TranslationError) return { problem: error.message };
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
        const end = token('dataRefEnd', 'dispEnd') || closingToken(open.token);
        return [{ ...open, end }, ...this.#content(element), { kind: 'close', token: end }];
      }
      case 'sc': {
        const open = this.#piece(element, token('dataRef', 'disp'), 'open');
        this.#ends.set(attributes.get('id') ?? '', closingToken(open.token));
        return [open];
      }
      case 'ec': {
        const end = token('dataRef', 'disp') || (this.#ends.get(attributes.get('startRef') ?? '') ?? '');
        return [this.#piece(element, end, 'close')];
      }
      case 'mrk':
        return this.#content(element);
      case 'sm':
      case 'em':
        return [];
      default:
        throw new TranslationError(`It has an element ${name.slice(0, 40)}, which cannot be part of a text.`);
    }
  }

  /** @throws TranslationError for an element that stands for nothing */
  #piece({ name, attributes }: XmlElement, token: string, kind: 'single' | 'open' | 'close'): Placeholder {
    if (token !== '') return { kind, token };
    const id = (attributes.get('id') ?? '').slice(0, 40);
    throw new TranslationError(`The placeholder ${name} ${id} does not say what it stands for.`);
  }
}

type Placeholder = Extract<Piece, { token: string }>;

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
