import type { Block, Inline } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { type DiffBudget, type TextChange, wordsDiff } from './words-diff.ts';

/** Steps for all blocks together: some hundred blocks that say something else from their first word to their last. */
const MAX_STEPS = 20_000_000;

/** A block that two texts do not have alike. */
export interface BlockChange {
  readonly id: string;
  readonly type: Block['type'];
  /** `moved` stands elsewhere and says the same; `look` says the same in another way, as in bold. */
  readonly change: 'added' | 'removed' | 'changed' | 'moved' | 'look';
  readonly words: readonly TextChange[];
}

interface Read {
  readonly id: string;
  readonly type: Block['type'];
  readonly text: string;
  /** The block itself, without those inside it. */
  readonly own: string;
}

/** The values of formulas, where they are known. */
type Values = ReadonlyMap<string, string>;
const NO_VALUES: Values = new Map();

function wordsOf(inline: Inline, values: Values): string {
  switch (inline.type) {
    case 'icon':
      return `{${inline.name}}`;
    case 'value':
      return values.get(inline.formula) ?? `{{${inline.formula}}}`;
    case 'reference':
      return '§';
    default:
      return plainText([inline]);
  }
}

const lineOf = (content: readonly Inline[], values: Values): string =>
  content.map((inline) => wordsOf(inline, values)).join('');

/** The words of a block beside its text. */
function nameOf(block: Block): string {
  switch (block.type) {
    case 'definition':
      return `${block.term}: `;
    case 'callout':
      return block.title;
    case 'figure':
      return block.caption.length > 0 ? '' : block.alt || block.source;
    case 'cards':
      return `${block.names.join(', ')}${block.caption.length > 0 ? '\n' : ''}`;
    default:
      return '';
  }
}

function textOf(block: Block, values: Values): string {
  const line = (content: readonly Inline[]) => lineOf(content, values);
  if (block.type === 'table') {
    const rows = block.rows.map((row) => row.map(line).join(' | '));
    return [...(block.caption.length > 0 ? [line(block.caption)] : []), ...rows].join('\n');
  }
  return `${nameOf(block)}${inlinesOf(block).map(line).join('\n')}`;
}

function ownOf(block: Block): string {
  if (block.type === 'list') return JSON.stringify([block.type, block.marker]);
  if (block.type === 'callout' || block.type === 'columns') {
    return JSON.stringify({ ...block, blocks: null, seen: null });
  }
  return JSON.stringify(block);
}

const read = (blocks: readonly Block[], values: Values): Read[] =>
  [...allBlocks(blocks)].map((block) => ({
    id: block.id,
    type: block.type,
    text: textOf(block, values),
    own: ownOf(block),
  }));

/** The text of a block and of all blocks inside it, line by line. */
export const wordsOfBlock = (block: Block): string =>
  read([block], NO_VALUES)
    .flatMap(({ text }) => (text === '' ? [] : [text]))
    .join('\n');

/** True for a block that holds others and says nothing itself: its coming and going is theirs. */
const isSilent = ({ type, text }: Read): boolean => (type === 'list' || type === 'columns') && text === '';

/**
 * Differences between two texts, block by block in the order of the later; a removed block comes after the one it stood
 * behind.
 * @param values what formulas came to in each; without them, formulas are compared
 */
export function compareBlocks(
  before: readonly Block[],
  after: readonly Block[],
  values: { readonly before: Values; readonly after: Values } = { before: NO_VALUES, after: NO_VALUES },
): BlockChange[] {
  const [was, is] = [read(before, values.before), read(after, values.after)];
  const then = new Map(was.map((one, at) => [one.id, { ...one, at }]));
  const now = new Set(is.map(({ id }) => id));
  const stayed = inOrder(is.map(({ id }) => then.get(id)?.at ?? -1));
  const changes: BlockChange[] = [];
  const budget: DiffBudget = { left: MAX_STEPS };
  const removedFrom = (first: number): void => {
    for (let at = first; at < was.length; at++) {
      const gone = was[at];
      if (!gone || now.has(gone.id)) return;
      if (!isSilent(gone)) changes.push(changeOf(gone, 'removed', wordsDiff(gone.text, '')));
    }
  };
  removedFrom(0);
  for (const [place, block] of is.entries()) {
    const old = then.get(block.id);
    if (!old) {
      if (!isSilent(block)) changes.push(changeOf(block, 'added', wordsDiff('', block.text)));
      continue;
    }
    if (old.text !== block.text)
      changes.push(changeOf(block, 'changed', wordsDiff(old.text, block.text, budget)));
    else if (old.own !== block.own) changes.push(changeOf(block, 'look', []));
    else if (!stayed.has(place) && !isSilent(block)) {
      changes.push(changeOf(block, 'moved', wordsDiff(block.text, block.text)));
    }
    removedFrom(old.at + 1);
  }
  return changes;
}

const changeOf = (
  { id, type }: Read,
  change: BlockChange['change'],
  words: readonly TextChange[],
): BlockChange => ({ id, type, change, words });

/** Places whose numbers rise: the most of them that can be kept in order. Negative numbers are none. */
function inOrder(numbers: readonly number[]): ReadonlySet<number> {
  /** Place that ends the best row of each length, and the place before each. */
  const ends: number[] = [];
  const before = new Map<number, number>();
  for (const [place, number] of numbers.entries()) {
    if (number < 0) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((numbers[ends[half] ?? 0] ?? 0) < number) low = half + 1;
      else high = half;
    }
    if (low > 0) before.set(place, ends[low - 1] ?? 0);
    ends[low] = place;
  }
  const kept = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = before.get(place)) kept.add(place);
  return kept;
}
