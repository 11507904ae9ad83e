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
    keywordSpans(text, plain, at, context, spans);
    braceSpans(text, at, end, context, spans, depth);
    at = end + 1;
    plain = at;
  }
  keywordSpans(text, plain, to, context, spans);
}

function braceSpans(
  text: string,
  open: number,
  end: number,
  context: MarkupContext,
  spans: VariableSpan[],
  depth: number,
): void {
  const inside = text.slice(open + 1, end);
  const meaning = meaningOfBraces(inside, context);
  if (meaning.kind !== 'style' || depth >= MAX_NESTING) {
    if (inside.trim() !== '') spans.push({ from: open, to: end + 1, known: meaning.kind !== 'literal' });
    return;
  }
  const inner = open + 1 + inside.indexOf(':') + 1;
  spans.push({ from: open, to: inner, known: true });
  scan(text, inner, end, context, spans, depth + 1);
  spans.push({ from: end, to: end + 1, known: true });
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
