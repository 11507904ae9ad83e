import { SaxesParser } from 'saxes';
import { MAX_DEPTH, MAX_ELEMENTS, NotVector } from './drawing.ts';

/** An element of an SVG. Elements and attributes of other namespaces (editors' notes) are left out. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  /** Text directly inside. */
  readonly text: string;
}

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

interface Open extends Element {
  readonly children: Element[];
  text: string;
}

/**
 * Reads the elements of an SVG. Entities of a document type are not expanded.
 * @throws NotVector when it is not well-formed SVG, or exceeds the limits of nesting and repetition
 */
export function readElements(source: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const open: (Open | null)[] = [];
  let root: Element | undefined;
  let count = 0;
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) throw new NotVector(`nests its elements more than ${MAX_DEPTH} deep`);
    if (++count > MAX_ELEMENTS) throw new NotVector(`has more than ${MAX_ELEMENTS} elements`);
    const parent = open.at(-1);
    if (tag.uri !== SVG || parent === null) {
      open.push(null);
      return;
    }
    const attributes = new Map<string, string>();
    for (const { local, uri, value } of Object.values(tag.attributes)) {
      // `href` without a namespace is the newer form and wins.
      if (uri === '' || (uri === XLINK && local === 'href' && !attributes.has('href')))
        attributes.set(local, value);
    }
    const element: Open = { name: tag.local, attributes, children: [], text: '' };
    parent?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string): void => {
    const current = open.at(-1);
    if (current) current.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw new NotVector(`is no well-formed XML (${error.message.slice(0, 100)})`);
  });
  parser.write(source).close();
  if (root?.name !== 'svg') throw new NotVector('has no svg element');
  return root;
}
