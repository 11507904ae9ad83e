/** Interval at which a program of the server checks that its server lives, in milliseconds. */
const PARENT_CHECK_MS = 500;

/** A killed server can no longer terminate this program or enforce its limits. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, PARENT_CHECK_MS).unref();
}
