/** Nanoseconds in a millisecond and in a second. */
const NANOS_PER_MS = 1_000_000;
const NANOS_PER_SECOND = 1_000_000_000;

/** A point in time, to the nanosecond. */
export class Timestamp {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** The rest, 0 to 999 999 999. */
  readonly nanoseconds: number;

  constructor(seconds: number, nanoseconds: number) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }

  static now(): Timestamp {
    return Timestamp.fromMillis(Date.now());
  }

  static fromDate(date: Date): Timestamp {
    return Timestamp.fromMillis(date.getTime());
  }

  static fromMillis(milliseconds: number): Timestamp {
    const seconds = Math.floor(milliseconds / 1000);
    return new Timestamp(seconds, Math.floor((milliseconds - seconds * 1000) * NANOS_PER_MS));
  }

  toDate(): Date {
    return new Date(this.toMillis());
  }

  toMillis(): number {
    return this.seconds * 1000 + Math.floor(this.nanoseconds / NANOS_PER_MS);
  }

  isEqual(other: Timestamp): boolean {
    return other.seconds === this.seconds && other.nanoseconds === this.nanoseconds;
  }

  /** Negative, zero or positive as `this` is before, at or after `other`. */
  compare(other: Timestamp): number {
    return this.seconds - other.seconds || this.nanoseconds - other.nanoseconds;
  }

  toString(): string {
    return `Timestamp(seconds=${this.seconds}, nanoseconds=${this.nanoseconds})`;
  }

  toJSON(): { seconds: number; nanoseconds: number } {
    return { seconds: this.seconds, nanoseconds: this.nanoseconds };
  }
}

/** Reads `2026-01-02T03:04:05.123456Z`. */
export function parseTimestamp(text: string): Timestamp {
  const match = /^(.*?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  const seconds = match ? Date.parse(`${match[1]}${match[3]}`) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) throw new Error(`Not a timestamp: ${text}`);
  return new Timestamp(seconds, Number((match?.[2] ?? '').padEnd(9, '0')));
}

/** Writes a timestamp as the wire wants it. */
export function formatTimestamp(timestamp: Timestamp): string {
  const whole = new Date(timestamp.seconds * 1000).toISOString().slice(0, 19);
  const fraction = String(timestamp.nanoseconds % NANOS_PER_SECOND).padStart(9, '0');
  return `${whole}.${fraction}Z`;
}
