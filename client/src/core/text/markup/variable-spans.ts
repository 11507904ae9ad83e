import { keywordsOf, type MarkupContext, meaningOfBraces } from './braces.ts';
import { ESCAPABLE, findBrace, MAX_NESTING } from './markup.ts';

/** A part of card text that means something else than it says. Offsets are UTF-16 units; spans never overlap. */
export interface VariableSpan {
  readonly from: number;
  readonly to: number;
  /** False for braces that nothing answers to: a card prints them as they are written. */
  readonly known: boolean;
}

/** Most spans of one text. */
const MAX_SPANS = 2_000;

/**
 * Finds the variables of a text as it is written: names in braces, the ends of styles around their texts, and icons
 * that need no braces.
 */
export function variableSpans(text: string, context: MarkupContext): VariableSpan[] {
  const spans: VariableSpan[] = [];
  scan(text, 0, text.length, context, spans, 0);
  return spans.slice(0, MAX_SPANS);
}

function scan(
  text: string,
  from: number,
  to: number,
  context: MarkupContext,
  spans: VariableSpan[],
  depth: number,
): void {
  let plain = from;
  let at = from;
  while (at < to && spans.length < MAX_SPANS) {
    if (text[at] === '\\' && ESCAPABLE.includes(text[at + 1] ?? ' ')) {
      at += 2;
      continue;
    }
    const end = text[at] === '{' ? findBrace(text, at) : -1;
    if (end === -1 || end >= to) {
      at++;
      continue;
    }
    const meaning = meaningOfBraces(text.slice(at + 1, end), context);
    if (meaning.kind === 'literal' && !standsForNothing(text.slice(at + 1, end), context)) {
      // The brace is a letter like others; what follows it has its own meaning.
      at++;
      continue;
    }
    keywordSpans(text, plain, at, context, spans);
    if (meaning.kind === 'style' && depth < MAX_NESTING) {
      const inner = text.indexOf(':', at) + 1;
      spans.push({ from: at, to: inner, known: true });
      scan(text, inner, end, context, spans, depth + 1);
      spans.push({ from: end, to: end + 1, known: true });
    } else spans.push({ from: at, to: end + 1, known: meaning.kind !== 'literal' });
    at = end + 1;
    plain = at;
  }
  keywordSpans(text, plain, to, context, spans);
}

/** True for a name in braces that nothing answers to, in which nothing has a meaning of its own either. */
function standsForNothing(inside: string, { variables }: MarkupContext): boolean {
  if (inside.trim() === '' || inside.includes('{')) return false;
  const keywords = keywordsOf(variables);
  return !keywords || [...inside.matchAll(keywords.pattern)].length === 0;
}

function keywordSpans(
  text: string,
  from: number,
  to: number,
  { variables }: MarkupContext,
  spans: VariableSpan[],
): void {
  const keywords = keywordsOf(variables);
  if (!keywords || from >= to) return;
  for (const { 0: name, index } of text.slice(from, to).matchAll(keywords.pattern)) {
    spans.push({ from: from + index, to: from + index + name.length, known: true });
  }
}
