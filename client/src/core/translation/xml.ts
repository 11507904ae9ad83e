import { SaxesParser } from 'saxes';
import { TranslationError } from './error.ts';
import { XLIFF } from './xliff-write.ts';

/** Most elements of a file, and their deepest nesting. */
const MAX_ELEMENTS = 500_000;
const MAX_DEPTH = 60;

/** An element of XLIFF. Elements of other namespaces, which are other programs' notes, are left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly content: readonly (XmlElement | string)[];
}

interface Open extends XmlElement {
  readonly content: (XmlElement | string)[];
}

/**
 * Reads the elements of an XLIFF file. A document type is refused, and with it all entities but those of XML itself.
 * @throws TranslationError when it is not XML, not XLIFF 2, or too large
 */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: (Open | null)[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  parser.on('doctype', () => {
    throw new TranslationError(
      'The file has a document type (DOCTYPE). XLIFF files have none: export it again without one.',
    );
  });
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) {
      throw new TranslationError(`The file nests its elements more than ${MAX_DEPTH} deep.`);
    }
    if (++count > MAX_ELEMENTS)
      throw new TranslationError(`The file has more than ${MAX_ELEMENTS} elements.`);
    if (open.length === 0) checkRoot(tag.local, tag.uri);
    const parent = open.at(-1);
    if (tag.uri !== XLIFF || parent === null) {
      open.push(null);
      return;
    }
    const attributes = new Map<string, string>();
    for (const { local, uri, value } of Object.values(tag.attributes)) {
      if (uri === '') attributes.set(local, value);
    }
    const element: Open = { name: tag.local, attributes, content: [] };
    parent?.content.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (part: string): void => void open.at(-1)?.content.push(part);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    const fault = error.message.slice(0, 150).replace(/\.$/, '');
    throw new TranslationError(`The file is not an XLIFF file: it is not well-formed XML (${fault}).`);
  });
  parser.write(text).close();
  if (!root) throw new TranslationError('The file is not an XLIFF file: it is empty.');
  return root;
}

function checkRoot(name: string, uri: string): void {
  if (name !== 'xliff')
    throw new TranslationError(
      `The file is not an XLIFF file: it begins with the element ${name.slice(0, 40)}.`,
    );
  if (uri !== XLIFF) {
    throw new TranslationError(
      'The file is XLIFF of another version: XLIFF 2.0 and 2.1 can be read. Convert it first.',
    );
  }
}
