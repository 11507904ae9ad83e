/** Numbers of `/metrics`, as Prometheus writes them. */

/** One number with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** Reads all numbers. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = line.startsWith('#') ? [] : (LINE.exec(line) ?? []);
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

/** The sum of a number over all its labels that fit. */
export function total(
  samples: readonly Sample[],
  name: string,
  fits: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter(
      (sample) =>
        sample.name === name && Object.entries(fits).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

/**
 * The time within which the share `part` of what came between two readings of a histogram was done, in its unit.
 * Undefined when nothing came; within a bucket evenly spread.
 */
export function quantile(
  before: readonly Sample[],
  after: readonly Sample[],
  name: string,
  part: number,
): number | undefined {
  const counts = after
    .filter((sample) => sample.name === `${name}_bucket`)
    .map(({ labels, value }) => {
      const edge = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
      return { edge, count: value - total(before, `${name}_bucket`, { le: labels.le ?? '' }) };
    })
    .sort((a, b) => a.edge - b.edge);
  const all = counts.at(-1)?.count ?? 0;
  if (all <= 0) return undefined;
  const wanted = all * part;
  let low = 0;
  let below = 0;
  for (const { edge, count } of counts) {
    if (count >= wanted) {
      if (!Number.isFinite(edge)) return low;
      return low + ((edge - low) * (wanted - below)) / Math.max(count - below, 1e-9);
    }
    low = edge;
    below = count;
  }
  return low;
}
