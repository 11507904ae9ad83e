import { wordsDiff } from '../book/comparison/words-diff.ts';
import { shortened } from '../text/cut-text.ts';

/** Texts up to this length are said whole. */
const MAX_WHOLE = 80;
/** Characters that an excerpt keeps on either side of what differs. */
const AROUND = 24;
/** Longest excerpt. */
const MAX_EXCERPT = 240;

const clipped = (text: string): string => shortened(text, MAX_EXCERPT);
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The place in a text, at most so far on, at which a word begins. */
function wordAt(text: string, from: number): number {
  const space = text.indexOf(' ', from);
  return space < 0 ? from : space + 1;
}

/** Two texts as a line says them: of long ones, the part that differs with some words around it. */
export function excerpts(before: string, after: string): readonly [before: string, after: string] {
  const [was, is] = [oneLine(before), oneLine(after)];
  if (Math.max(was.length, is.length) <= MAX_WHOLE || was === '' || is === '')
    return [clipped(was), clipped(is)];
  const stretches = wordsDiff(was, is);
  const [first, last] = [stretches[0], stretches.at(-1)];
  const head = first?.change === 'same' ? first.text : '';
  const tail = last?.change === 'same' && last !== first ? last.text : '';
  const start = head.length <= AROUND ? 0 : wordAt(head, head.length - AROUND);
  const end = tail.length <= AROUND ? 0 : tail.length - Math.max(1, tail.lastIndexOf(' ', AROUND));
  const part = (text: string) =>
    `${start > 0 ? '… ' : ''}${text.slice(start, text.length - end).trim()}${end > 0 ? ' …' : ''}`;
  return [clipped(part(was)), clipped(part(is))];
}
