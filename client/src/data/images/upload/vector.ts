import DOMPurify from 'dompurify';
import { MAX_SVG_BYTES, NotVector } from '../../../core/svg/drawing.ts';
import { decodeSvg } from '../../../core/svg/is-svg.ts';
import { readDrawing } from '../../../core/svg/read.ts';

/** An SVG that stays one, or why it cannot. */
export type Vector =
  | { readonly blob: Blob; readonly w: number; readonly h: number }
  | {
      /** Goes on after “The drawing ”. */
      readonly why: string;
    };

/**
 * An SVG as it is stored: without scripts, handlers and references to anything outside, and so that the painters show
 * it exactly as it was. What they cannot show as paths is told.
 */
export function keepVector(bytes: Uint8Array): Vector {
  if (bytes.length > MAX_SVG_BYTES) return { why: `has more than ${MAX_SVG_BYTES / 1024 / 1024} MB` };
  try {
    const text = decodeSvg(bytes);
    const drawing = readDrawing(text);
    const clean = sanitise(text);
    if (JSON.stringify(readDrawing(clean)) !== JSON.stringify(drawing)) {
      return { why: 'would look otherwise without its scripts or outside parts' };
    }
    const blob = new Blob([clean], { type: 'image/svg+xml' });
    if (blob.size > MAX_SVG_BYTES) return { why: `has more than ${MAX_SVG_BYTES / 1024 / 1024} MB` };
    return { blob, w: pixels(drawing.w), h: pixels(drawing.h) };
  } catch (error) {
    if (error instanceof NotVector) return { why: error.message };
    throw error;
  }
}

const pixels = (length: number): number => Math.max(1, Math.round(length));

/** Attributes that name another element; they may name one of the same file. */
const REFERENCES = new Set(['href', 'xlink:href']);

function sanitise(text: string): string {
  const purify = DOMPurify(window);
  purify.addHook('uponSanitizeAttribute', (_, attribute) => {
    const { attrName, attrValue } = attribute;
    if (REFERENCES.has(attrName)) {
      attribute.keepAttr = attrValue.trim().startsWith('#');
      attribute.forceKeepAttr = attribute.keepAttr;
    } else if (/url\(\s*["']?\s*[^#"'\s]/i.test(attrValue)) attribute.keepAttr = false;
  });
  // A kept image shows only what is drawn: programs write authors, paths of their files and notes beside it.
  const body = purify.sanitize(text.slice(Math.max(0, text.search(/<svg[\s>]/i))), {
    USE_PROFILES: { svg: true },
    ADD_TAGS: ['use'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    KEEP_CONTENT: false,
    RETURN_DOM: true,
  }) as HTMLElement;
  const root = body.querySelector('svg');
  if (!root) throw new NotVector('has elements with prefixes, which only few programs write');
  withoutNotes(root);
  return new XMLSerializer().serializeToString(root);
}

/** Elements whose text is drawn, or says how to draw. */
const WITH_TEXT = 'text, style';

/** Takes out descriptions, titles, and texts that are not drawn. */
function withoutNotes(root: Element): void {
  for (const note of root.querySelectorAll('metadata, desc, title')) note.remove();
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  const nodes: Node[] = [];
  while (texts.nextNode()) nodes.push(texts.currentNode);
  for (const node of nodes) {
    const element = node.parentElement?.closest(WITH_TEXT);
    if (!element || node.nodeType === Node.COMMENT_NODE) node.parentNode?.removeChild(node);
    else if (element.localName === 'style') node.nodeValue = withoutComments(node.nodeValue ?? '');
  }
}

const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
