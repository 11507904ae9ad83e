import type { ChildProcess } from 'node:child_process';

/** The project's folder. */
export const ROOT: string;
/** Cargo's target folder. */
export const TARGET: string;
/** The server's program: `TUCKBOX_BIN`, or the debug build. */
export const TUCKBOX: string;

/** A server that is ready. */
export interface RunningServer {
  readonly child: ChildProcess;
  /** The hosting origin, without a slash at its end. */
  readonly origin: string;
  readonly port: number;
  /** Sends SIGTERM or the signal given, and resolves at the end of the process. */
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

/** Starts the server's program in the folder `cwd` and waits until it is ready; `onLog` gets every line of its log. */
export function startTuckbox(
  args: readonly string[],
  options?: { cwd?: string; onLog?: (line: string) => void },
): Promise<RunningServer>;
