/** The part of statistics that says how much a number means. */

/** Numbers from fewer games or pieces than this say next to nothing; they are shown in grey. */
export const FEW = 5;

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's interval of 95 % for a share of `hits` among `n`; from none it is everything. */
export function wilson(hits: number, n: number): Interval {
  if (n <= 0) return { low: 0, high: 1 };
  const share = hits / n;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return {
    low: Math.max(0, Math.min(share, middle - half)),
    high: Math.min(1, Math.max(share, middle + half)),
  };
}

export interface ChiSquare {
  readonly chi2: number;
  readonly degrees: number;
  /** Probability of a deviation as large from a fair die. */
  readonly p: number;
}

/** Pearson's test of rolls against a fair die; undefined for fewer than two sides or without rolls. */
export function fairness(counts: readonly number[]): ChiSquare | undefined {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (n === 0 || counts.length < 2) return undefined;
  const expected = n / counts.length;
  const chi2 = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = counts.length - 1;
  return { chi2, degrees, p: upperGamma(degrees / 2, chi2 / 2) };
}

/** Rolls for each side below which the test is not to be trusted. */
export const ROLLS_A_SIDE = 5;

/** Most terms of a series: it ends long before. */
const TERMS = 10_000;
const EPSILON = 1e-14;

/** The regularised upper incomplete gamma function. */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(-x + a * Math.log(x) - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < TERMS && term > sum * EPSILON; n += 1) {
      term *= x / (a + n);
      sum += term;
    }
    return clamp(1 - sum * scale);
  }
  // Lentz's continued fraction.
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < TERMS; n += 1) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / nonZero(an * d + b, tiny);
    c = nonZero(b + an / c, tiny);
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < EPSILON) break;
  }
  return clamp(scale * h);
}

const nonZero = (value: number, tiny: number): number => (Math.abs(value) < tiny ? tiny : value);
const clamp = (value: number): number => Math.max(0, Math.min(1, value));

/** Coefficients of Lanczos' approximation. */
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
] as const;

/** Logarithm of the gamma function, for arguments of at least a half. */
function logGamma(value: number): number {
  const x = value - 1;
  const sum = LANCZOS.reduce((total, one, at) => total + one / (x + at + 1), 0.9999999999998099);
  const t = x + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
