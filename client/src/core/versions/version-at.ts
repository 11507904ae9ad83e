/** A version, as far as its time tells what else is of it. */
export interface TimedVersion {
  /** Empty for an automatic one. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The name of the newest named version that there was at a time; `undefined` before the first, and for no time. */
export function versionAt(versions: readonly TimedVersion[], time: number): string | undefined {
  const before = versions.filter(({ name, at }) => name !== '' && at > 0 && at <= time);
  return before.reduce<TimedVersion | undefined>(
    (last, one) => (last && last.at > one.at ? last : one),
    undefined,
  )?.name;
}
