/** Places of the built server and its examples. */

import { resolve } from 'node:path';

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Cargo's target folder. */
export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** The server's program: `TUCKBOX_BIN`, or the debug build. */
export const TUCKBOX = process.env.TUCKBOX_BIN ?? resolve(TARGET, 'debug/tuckbox');
