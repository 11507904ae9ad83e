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
  const body = purify.sanitize(text.slice(Math.max(0, text.search(/<svg[\s>]/i))), {
    USE_PROFILES: { svg: true },
    ADD_TAGS: ['use'],
    RETURN_DOM: true,
  }) as HTMLElement;
  const root = body.querySelector('svg');
  if (!root) throw new NotVector('has elements with prefixes, which only few programs write');
  return new XMLSerializer().serializeToString(root);
}
