import { makeZip } from 'client-zip';
import type { BundleEntry, Encoding, Painting } from '../../core/imposition/images/painting.ts';
import type { PaintingIssue } from '../painting/protocol.ts';
import type { CardIssue, ExportProgress } from './export-protocol.ts';

export type EncodePainting = (
  painting: Painting,
  encoding: Encoding,
) => Promise<{ bytes: Uint8Array; issues: readonly PaintingIssue[] }>;

export interface BundleTools {
  readonly encode: EncodePainting;
  /** Paintings under way at once. */
  readonly ahead: number;
  readonly created: Date;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly write: (chunk: Uint8Array) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Most issues reported: a longer list helps nobody. */
const MAX_ISSUES = 2_000;

/**
 * Makes the files of a bundle and writes them as one ZIP, in order, holding no more than `ahead` paintings at a time.
 * @throws Error naming the file that could not be made
 */
export async function writeBundle(
  entries: readonly BundleEntry[],
  tools: BundleTools,
): Promise<{ issues: CardIssue[] }> {
  const issues: CardIssue[] = [];
  const files = async function* () {
    const under: { entry: BundleEntry; made: Promise<Uint8Array | string> }[] = [];
    let next = 0;
    const start = (): void => {
      const entry = entries[next++];
      if (!entry) return;
      const made = make(entry, tools, issues);
      // It is awaited later; until then its rejection must not count as unhandled.
      made.catch(() => undefined);
      under.push({ entry, made });
    };
    for (let index = 0; index < tools.ahead; index++) start();
    let done = 0;
    for (let one = under.shift(); one; one = under.shift()) {
      tools.signal?.throwIfAborted();
      const input = await one.made;
      start();
      yield { name: one.entry.name, input, lastModified: tools.created };
      tools.onProgress?.({ done: ++done, total: entries.length });
    }
  };
  tools.onProgress?.({ done: 0, total: entries.length });
  const reader = makeZip(files()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) await tools.write(part.value);
  return { issues };
}

async function make(
  entry: BundleEntry,
  tools: BundleTools,
  issues: CardIssue[],
): Promise<Uint8Array | string> {
  if (entry.kind === 'text') return entry.text;
  try {
    const { bytes, issues: found } = await tools.encode(entry.painting, entry.encoding);
    for (const { issue } of found) {
      if (issues.length < MAX_ISSUES) issues.push({ where: entry.name, issue });
    }
    return bytes;
  } catch (error) {
    if (error instanceof Error && error.name !== 'AbortError') {
      error.message = `${entry.name} could not be made: ${error.message}`;
    }
    throw error;
  }
}
