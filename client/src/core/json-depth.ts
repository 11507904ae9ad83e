/**
 * True if a value has more than `most` lists and objects within one another, itself included. Readers recurse into values
 * that come from files, and the call stack is limited: this does not recurse.
 */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true;
    level = level.flatMap((one) => Object.values(one as object).filter(isNested));
  }
  return false;
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
