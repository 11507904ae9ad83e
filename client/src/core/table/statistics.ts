import { withoutEnclosed } from '../text/markup/braces.ts';

/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  /** Cards, copies counted. */
  readonly count: number;
}

/** A card for statistics. */
export interface CountedCard {
  readonly copies: number;
  readonly text: (key: string) => string;
}

/** Most bars of one chart: the rest are merged into one. */
export const MAX_BARS = 24;
/** Bars of a histogram of lengths. */
const LENGTH_BARS = 12;
/** A few whole numbers are shown one bar each. */
const MAX_CURVE_VALUES = 21;

const collator = new Intl.Collator('en', { numeric: true });

function counted(entries: Iterable<readonly [string, number]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [label, count] of entries) counts.set(label, (counts.get(label) ?? 0) + count);
  return counts;
}

/** Number of cards for each value of a number column, including every whole number in between. */
export function curve(cards: readonly CountedCard[], key: string): Bar[] {
  const values = cards.flatMap((card) => {
    const text = card.text(key).trim().replace(',', '.');
    const value = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? [{ value, copies: card.copies }] : [];
  });
  if (values.length === 0) return [];
  const low = Math.min(...values.map(({ value }) => value));
  const high = Math.max(...values.map(({ value }) => value));
  if (values.every(({ value }) => Number.isInteger(value)) && high - low < MAX_CURVE_VALUES) {
    const counts = counted(values.map(({ value, copies }) => [String(value), copies] as const));
    return Array.from({ length: high - low + 1 }, (_, i) => ({
      label: String(low + i),
      count: counts.get(String(low + i)) ?? 0,
    }));
  }
  return histogram(values, low, high);
}

function histogram(
  values: readonly { readonly value: number; readonly copies: number }[],
  low: number,
  high: number,
): Bar[] {
  const width = roundUp((high - low) / LENGTH_BARS);
  const start = Math.floor(low / width) * width;
  // Numbers too large or too close together for steps between them become one bar.
  const steps = Math.floor((high - start) / width) + 1;
  const fits = Number.isFinite(steps) && start + width > start;
  const bars = Array.from({ length: fits ? Math.min(steps, 2 * LENGTH_BARS) : 1 }, (_, i) => ({
    label: fits ? `${tidy(start + i * width)}–${tidy(start + (i + 1) * width)}` : 'all',
    count: 0,
  }));
  for (const { value, copies } of values) {
    const at = Math.floor((value - start) / width);
    const bar = bars[fits ? Math.min(bars.length - 1, Math.max(0, at)) : 0];
    if (bar) bar.count += copies;
  }
  return bars;
}

const tidy = (value: number) => Number(value.toPrecision(6));

/** The next of 1, 2, 5, 10, 20 … that is at least this. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/** The tags in a cell: several are separated by commas, semicolons or lines. */
export const tagsIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[,;\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  );

/** Number of cards for each tag. */
export function tagCounts(cards: readonly CountedCard[], key: string): Bar[] {
  const counts = counted(
    cards.flatMap((card) => [...tagsIn(card.text(key))].map((tag) => [tag, card.copies] as const)),
  );
  return longest(counts);
}

/** The most frequent first; the rest are merged into one. */
function longest(counts: ReadonlyMap<string, number>): Bar[] {
  const bars = [...counts].map(([label, count]) => ({ label, count }));
  bars.sort((a, b) => b.count - a.count || collator.compare(a.label, b.label));
  if (bars.length <= MAX_BARS) return bars;
  const rest = bars.slice(MAX_BARS - 1);
  const count = rest.reduce((sum, bar) => sum + bar.count, 0);
  return [...bars.slice(0, MAX_BARS - 1), { label: `${rest.length} more`, count }];
}

/** Lengths of a column's texts, in characters. */
export function lengths(cards: readonly CountedCard[], key: string): Bar[] {
  const values = cards
    .map((card) => ({ value: card.text(key).length, copies: card.copies }))
    .filter(({ value }) => value > 0);
  if (values.length === 0) return [];
  return histogram(values, 0, Math.max(...values.map(({ value }) => value)));
}

/** An inline image or a variable: `{Icons/fire.png, 0.9}` and `{fire}`, but not `{Style:text}`. */
const ICON = /\{([^{}:]{1,200})\}/g;

/** Occurrences of each icon or variable in the cells. */
export function iconUse(cards: readonly CountedCard[], keys: readonly string[]): Bar[] {
  const counts = counted(
    cards.flatMap((card) =>
      keys.flatMap((key) =>
        [...withoutEnclosed(card.text(key), '{{', '}}').matchAll(ICON)].map(
          ([, inside = '']) => [(inside.split(',')[0] ?? '').trim(), card.copies] as const,
        ),
      ),
    ),
  );
  return longest(counts);
}

/** True if a text column reads like tags: few different values, short, and often the same. */
export function looksLikeTags(cards: readonly CountedCard[], key: string): boolean {
  const filled = cards.map((card) => card.text(key).trim()).filter((text) => text !== '');
  const different = new Set(filled).size;
  return (
    filled.length > 0 &&
    different <= 40 &&
    different <= filled.length / 2 &&
    filled.every((text) => text.length <= 60)
  );
}
